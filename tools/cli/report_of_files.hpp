// One page of results of any commands: run, sweep, scaling, fabric ebb.
#pragma once

#include <string>
#include <vector>

namespace weft::tools {

/// Reads the files, each by what it says it is, and writes the page; says what is in it: "3 runs, 1 sweep". Throws
/// InputError (a file cannot be read), SystemError (the page cannot be written).
std::string write_report_of(const std::vector<std::string>& paths, const std::string& html_path);

}  // namespace weft::tools
