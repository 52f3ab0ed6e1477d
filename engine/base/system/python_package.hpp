// Starts what is written in Python: modules of weft's package, beside this program or installed with it.
#pragma once

#include <string>
#include <vector>

namespace weft::process {

/// The interpreter: WEFT_PYTHON, else Debian's own, which has the modules that the package needs.
[[nodiscard]] std::string python();

/// The folder that the package is in: installed with this program, or in its source tree; empty if Python has to know.
/// Throws SystemError as this_program does.
[[nodiscard]] std::string folder_of_package();

/// The words that start `module` of the package ("weft.plot"), to which its arguments are added: the package is found
/// where it belongs to this program, and finds this program. Throws SystemError as this_program does.
[[nodiscard]] std::vector<std::string> python_command(const std::string& module);

}  // namespace weft::process
