// SPDX-License-Identifier: MIT

// The page of a comparison: HTML with the charts inside, readable without network or other files.

#include <fmt/format.h>

#include <pliant/base/markup.h>
#include <pliant/lab/comparison_charts.h>
#include <pliant/lab/comparison_report.h>
#include <pliant/lab/report_parts.h>

namespace pliant {

namespace {

std::string runs_table(const Comparison& c)
{
    std::string html = "<div class=\"wide\"><table>\n<tr>";
    for (const Variation& variation : c.variations) html += "<th>" + markup_text(variation.path) + "</th>";
    for (const char* heading : {"status", "verdict"}) html += fmt::format("<th>{}</th>", heading);
    for (const char* heading :
         {"steps", "largest error", "of the swing", "error at the end", "energy.error", "µs per step"})
        html += fmt::format("<th class=\"n\">{}</th>", heading);
    html += "</tr>\n";
    for (const ComparedRun& run : c.runs) {
        html += run.verdict == Verdict::exploded ? "<tr class=\"exploded\">" : "<tr>";
        for (const Override& setting : run.settings) html += cell(setting.value);
        html += fmt::format("<td title=\"{}\">{}</td>", markup_text(run.trial.message), markup_text(run.trial.status));
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
            items += fmt::format("<li>{}: {}</li>\n", markup_text(run.name), markup_text(run.trial.message));
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
                    what, c.is_by_step() ? "step taken" : markup_text(c.variations[*c.parameter].path),
                    c.is_by_step() ? "order" : "slope");
    for (const Method& method : c.methods)
        html +=
            fmt::format("<tr>{}{}<td class=\"n\">{} of {}</td></tr>\n", cell(method.name.empty() ? "all" : method.name),
                        number_cell(method.slope), method.fitted, method.runs.size());
    return html + "</table>\n";
}

std::string how_it_was_made(const Comparison& c, const std::string& command_line)
{
    std::string html = "<pre>" + markup_text(command_line) + "</pre>\n";
    const std::string measured =
        c.unit.empty() || c.unit == "1" ? c.measure : fmt::format("{} [{}]", c.measure, c.unit);
    html += fmt::format("<p>Compared: <b>{}</b>. Reference: {}.</p>\n", markup_text(measured),
                        markup_text(c.reference_words));
    for (const std::string& note : c.notes) html += "<p>Note: " + markup_text(note) + ".</p>\n";
    return html;
}

}  // namespace

std::string comparison_page(const Comparison& c, const std::string& command_line)
{
    std::string html = page_begin(c.scene, c.description, c.runs.size());
    html += how_it_was_made(c, command_line);
    html += fmt::format("<h2>{} runs</h2>\n", c.runs.size()) + runs_table(c);
    html +=
        "<p>Errors are |value − reference| at the times a run was looked at. Machine times are the fastest of a few "
        "repeats on this machine, measuring excluded.</p>\n";
    html += methods_table(c);
    html += figures(comparison_charts(c));
    return html + messages(c) + page_end();
}

}  // namespace pliant
