// SPDX-License-Identifier: MIT
#pragma once

// The tables of contact logs in a recording (contact/contact_log.h): for this room only.
//
// They are made with the first log, so that takes without any stay as they were. Counters and times are columns of
// contact_steps, everything else are arrays of contact_arrays; docs/formats.md lists both. Of the meshes of
// the rounds only points that moved since the mesh before are kept: it is exact, and mostly nothing.

#include <cstdint>
#include <optional>
#include <vector>

#include <pliant/contact/contact_log.h>
#include <pliant/record/database.h>
#include <pliant/record/recording.h>

namespace pliant {

/// Makes the tables where there are none.
void create_contact_tables(const Database& database);

/// Are they there? Whatever else has their names is damage.
bool has_contact_tables(const Database& database);

/// Part of a transaction of the caller's.
void write_contacts(const Database& database, std::int64_t frame, const ContactLog& log);
void drop_contacts_after(const Database& database, std::int64_t frame);

/// Reads and checks: what it tells of points and bodies are points and bodies of the topology.
std::optional<ContactLog> read_contacts(const Database& database, std::int64_t frame, const Topology& topology);
std::vector<ContactCounts> read_contact_counts(const Database& database);

}  // namespace pliant
