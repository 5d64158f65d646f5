// SPDX-License-Identifier: MIT
#include <pliant/lab/report_parts.h>

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/base/markup.h>
#include <pliant/base/text.h>
#include <pliant/record/output_file.h>

namespace pliant {

namespace {

constexpr const char* kStyle = R"(
body { font: 16px/1.5 "Helvetica Neue", Helvetica, Arial, sans-serif; color: #222; background: #fff;
       max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
pre { background: #f4f4f2; padding: .7rem .9rem; white-space: pre-wrap; word-break: break-word; border-radius: 4px; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .7rem .22rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #e4e4e0; }
td.n, th.n { text-align: right; } tr.exploded td { color: #a33c00; }
.wide { overflow-x: auto; } figure { margin: 1.2rem 0 2rem; } figcaption { color: #555; font-size: .9rem; }
svg { max-width: 100%; height: auto; }
)";

// The chart without the line that makes it a file of its own.
std::string inline_svg(const Chart& chart)
{
    const std::string svg = chart_svg(chart);
    return svg.substr(svg.find("<svg"));
}

}  // namespace

std::string csv_field(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string safe = "\"";
    for (const char c : text) safe += c == '"' ? std::string("\"\"") : std::string(1, c);
    return safe + '"';
}

std::string csv_number(double value)
{
    return std::isfinite(value) ? shortest(value) : "";
}

void write_text(const std::string& folder, const std::string& name, const std::string& text)
{
    OutputFile file((std::filesystem::path(folder) / name).string());
    file.write(text);
    file.commit();
}

std::string cell(const std::string& text)
{
    return "<td>" + markup_text(text) + "</td>";
}

std::string number_cell(double value)
{
    return std::isfinite(value) ? fmt::format("<td class=\"n\">{:.3g}</td>", value) : "<td class=\"n\">–</td>";
}

std::string page_begin(const std::string& scene, const std::string& description, std::size_t runs)
{
    const std::string file = std::filesystem::path(scene).filename().string();
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    html += fmt::format("<title>{}: {} runs</title>\n<style>{}</style>\n</head>\n<body>\n", markup_text(file), runs,
                        kStyle);
    return html + fmt::format("<h1>{}</h1>\n", markup_text(description.empty() ? file : description));
}

std::string page_end()
{
    return "</body>\n</html>\n";
}

std::string figures(const std::vector<NamedChart>& charts)
{
    std::string html;
    for (const NamedChart& named : charts)
        html += fmt::format("<h2>{}</h2>\n<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
                            markup_text(named.chart.title), inline_svg(named.chart), markup_text(named.caption));
    return html;
}

void remove_charts(const std::string& folder)
{
    for (const char* name :
         {"trajectory", "error", "convergence", "energy", "work", "stability", "time", "stages", "shares"})
        for (const char* extension : {".svg", ".png"})
            std::filesystem::remove(std::filesystem::path(folder) / (std::string(name) + extension));
}

void write_charts(const std::string& folder, const std::vector<NamedChart>& charts, std::vector<std::string>& names)
{
    for (const NamedChart& named : charts)
        for (const char* extension : {".svg", ".png"}) {
            names.push_back(named.name + extension);
            write_chart((std::filesystem::path(folder) / names.back()).string(), named.chart, true);
        }
}

}  // namespace pliant
