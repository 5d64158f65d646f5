// SPDX-License-Identifier: MIT
#include <pliant/record/packed_text.h>

#include <vector>

#include <zlib.h>

#include <pliant/base/error.h>

namespace pliant {

namespace {

constexpr int kLevel = 9;

std::vector<unsigned char> deflated(std::span<const std::byte> bytes)
{
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::vector<unsigned char> packed(size);
    const int result = compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                                 static_cast<uLong>(bytes.size()), kLevel);
    PLIANT_ASSERT(result == Z_OK, "the buffer is as large as zlib asks for");
    packed.resize(size);
    return packed;
}

}  // namespace

std::string packed_text(std::span<const std::byte> bytes)
{
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::vector<unsigned char> packed = deflated(bytes);
    std::string text;
    text.reserve((packed.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < packed.size(); i += 3) {
        const std::size_t left = packed.size() - i;
        const unsigned word =
            packed[i] << 16U | (left > 1 ? packed[i + 1] << 8U : 0U) | (left > 2 ? packed[i + 2] : 0U);
        text += kDigits[word >> 18U & 63U];
        text += kDigits[word >> 12U & 63U];
        text += left > 1 ? kDigits[word >> 6U & 63U] : '=';
        text += left > 2 ? kDigits[word & 63U] : '=';
    }
    return text;
}

}  // namespace pliant
