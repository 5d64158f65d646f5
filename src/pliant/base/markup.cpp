// SPDX-License-Identifier: MIT
#include <pliant/base/markup.h>

namespace pliant {

namespace {

bool is_forbidden(char c)
{
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
}

}  // namespace

std::string markup_text(std::string_view text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '&')
            safe += "&amp;";
        else if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += is_forbidden(c) ? ' ' : c;
    }
    return safe;
}

}  // namespace pliant
