// SPDX-License-Identifier: MIT

// A laid out chart as PNG, two pixels to the unit so that text is sharp on any screen.

#include <pliant/base/error.h>
#include <pliant/record/chart_raster.h>

#include <png.h>

namespace pliant {

namespace {

constexpr int kPixelsPerUnit = 2;

[[noreturn]] void refuse(const png_image& image)
{
    Problem problem;
    problem.message = std::string("cannot make a PNG: ") + image.message;
    throw Error(problem, ErrorKind::cannot_access);
}

}  // namespace

std::string chart_png(const Chart& chart)
{
    const charting::Canvas canvas = charting::rasterised(charting::layout(chart), kPixelsPerUnit);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(canvas.width());
    image.height = static_cast<png_uint_32>(canvas.height());
    image.format = PNG_FORMAT_RGB;

    // Into memory first: the place on disk is then written in one go, or not at all.
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string bytes(size, '\0');
    if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, canvas.pixels().data(), 0, nullptr)) refuse(image);
    bytes.resize(size);
    return bytes;
}

}  // namespace pliant
