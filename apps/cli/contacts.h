// SPDX-License-Identifier: MIT
#pragma once

// How pliant contacts tells a contact log: in words, and as JSON.

#include <string>

#include <pliant/base/json_write.h>
#include <pliant/contact/contact_log.h>
#include <pliant/record/recording.h>

namespace pliant::cli {

/// A frame and what contact did in the last step before it.
struct LoggedFrame {
    const Topology& topology;
    std::int64_t frame = 0;
    double time = 0;  ///< [s] of the frame
    const ContactLog& log;
};

std::string contacts_text(const LoggedFrame& logged);

/// One object; points are told as body and vertex of the body.
void write_contacts_json(JsonWriter& json, const LoggedFrame& logged);

}  // namespace pliant::cli
