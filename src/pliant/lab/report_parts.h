// SPDX-License-Identifier: MIT
#pragma once

// What the reports of all comparisons share: fields of CSV, pieces of the page, charts on disk.

#include <string>
#include <string_view>
#include <vector>

#include <pliant/lab/comparison_charts.h>

namespace pliant {

/// A field of a table of commas: quoted where it must be.
std::string csv_field(const std::string& text);

/// Fewest digits that read back the same; empty for what is not finite.
std::string csv_number(double value);

/// Cells of a table on a page; a number that is not finite is a dash.
std::string cell(const std::string& text);
std::string number_cell(double value);

/// The head of a page that needs nothing but itself, down to its title.
std::string page_begin(const std::string& scene, const std::string& description, std::size_t runs);
std::string page_end();

/// Charts inside a page, each with heading and caption.
std::string figures(const std::vector<NamedChart>& charts);

void write_text(const std::string& folder, const std::string& name, const std::string& text);

/// Takes away the charts of an earlier comparison.
void remove_charts(const std::string& folder);

/// Writes every chart as .svg and .png and adds their names to the list.
void write_charts(const std::string& folder, const std::vector<NamedChart>& charts, std::vector<std::string>& names);

}  // namespace pliant
