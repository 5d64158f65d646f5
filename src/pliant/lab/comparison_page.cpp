// SPDX-License-Identifier: MIT

// The page of a comparison: HTML with the charts inside, readable without network or other files.

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <pliant/lab/comparison_charts.h>
#include <pliant/lab/comparison_report.h>

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

std::string escaped(std::string_view text)
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
            safe += c;
    }
    return safe;
}

std::string cell(const std::string& text)
{
    return "<td>" + escaped(text) + "</td>";
}

std::string number_cell(double value)
{
    return std::isfinite(value) ? fmt::format("<td class=\"n\">{:.3g}</td>", value) : "<td class=\"n\">–</td>";
}

std::string runs_table(const Comparison& c)
{
    std::string html = "<div class=\"wide\"><table>\n<tr>";
    for (const Variation& variation : c.variations) html += "<th>" + escaped(variation.path) + "</th>";
    for (const char* heading : {"status", "verdict"}) html += fmt::format("<th>{}</th>", heading);
    for (const char* heading :
         {"steps", "largest error", "of the swing", "error at the end", "energy.error", "µs per step"})
        html += fmt::format("<th class=\"n\">{}</th>", heading);
    html += "</tr>\n";
    for (const ComparedRun& run : c.runs) {
        html += run.verdict == Verdict::exploded ? "<tr class=\"exploded\">" : "<tr>";
        for (const Override& setting : run.settings) html += cell(setting.value);
        html += fmt::format("<td title=\"{}\">{}</td>", escaped(run.trial.message), escaped(run.trial.status));
        html += cell(std::string(name_of(run.verdict))) + fmt::format("<td class=\"n\">{}</td>", run.trial.steps);
        for (const double value :
             {run.largest_error, run.relative_error, run.end_error, run.largest_energy_error, 1e6 * run.trial.step_s})
            html += number_cell(value);
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

std::string messages(const Comparison& c)
{
    std::string items;
    for (const ComparedRun& run : c.runs)
        if (!run.trial.message.empty())
            items += fmt::format("<li>{}: {}</li>\n", escaped(run.name), escaped(run.trial.message));
    return items.empty() ? "" : "<h2>What runs said</h2>\n<ul>\n" + items + "</ul>\n";
}

std::string methods_table(const Comparison& c)
{
    if (c.methods.empty()) return "";
    const char* what = c.is_by_step() ? "Observed order" : "Fitted slope";
    std::string html =
        fmt::format("<h2>{}</h2>\n<p>The slope of log(largest error) over log({}), through the runs that "
                    "are within a tenth of the swing and not yet at rounding.</p>\n<table>\n<tr><th>method</th>"
                    "<th class=\"n\">{}</th><th class=\"n\">runs used</th></tr>\n",
                    what, c.is_by_step() ? "step taken" : escaped(c.variations[*c.parameter].path),
                    c.is_by_step() ? "order" : "slope");
    for (const Method& method : c.methods)
        html +=
            fmt::format("<tr>{}{}<td class=\"n\">{} of {}</td></tr>\n", cell(method.name.empty() ? "all" : method.name),
                        number_cell(method.slope), method.fitted, method.runs.size());
    return html + "</table>\n";
}

// The chart without the line that makes it a file of its own.
std::string inline_svg(const Chart& chart)
{
    const std::string svg = chart_svg(chart);
    return svg.substr(svg.find("<svg"));
}

std::string how_it_was_made(const Comparison& c, const std::string& command_line)
{
    std::string html = "<pre>" + escaped(command_line) + "</pre>\n";
    const std::string measured =
        c.unit.empty() || c.unit == "1" ? c.measure : fmt::format("{} [{}]", c.measure, c.unit);
    html += fmt::format("<p>Compared: <b>{}</b>. Reference: {}.</p>\n", escaped(measured), escaped(c.reference_words));
    for (const std::string& note : c.notes) html += "<p>Note: " + escaped(note) + ".</p>\n";
    return html;
}

}  // namespace

std::string comparison_page(const Comparison& c, const std::string& command_line)
{
    const std::string file = std::filesystem::path(c.scene).filename().string();
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    html += fmt::format("<title>{}: {} runs</title>\n<style>{}</style>\n</head>\n<body>\n", escaped(file),
                        c.runs.size(), kStyle);
    html += fmt::format("<h1>{}</h1>\n", escaped(c.description.empty() ? file : c.description));
    html += how_it_was_made(c, command_line);
    html += fmt::format("<h2>{} runs</h2>\n", c.runs.size()) + runs_table(c);
    html +=
        "<p>Errors are |value − reference| at the times a run was looked at. Machine times are the fastest of a few "
        "repeats on this machine, measuring excluded.</p>\n";
    html += methods_table(c);
    for (const NamedChart& named : comparison_charts(c))
        html += fmt::format("<h2>{}</h2>\n<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
                            escaped(named.chart.title), inline_svg(named.chart), escaped(named.caption));
    return html + messages(c) + "</body>\n</html>\n";
}

}  // namespace pliant
