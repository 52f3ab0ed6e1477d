// Functions of expressions about files that a run has written.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/text_cases/expression.hpp"

namespace weft::text_cases {

/// exists(path), text(path), json(path), csv(path, column) and hdf5(path, dataset): the values of a column. By name.
[[nodiscard]] const std::map<std::string, std::function<Value(const std::vector<Value>&)>>& file_functions();

}  // namespace weft::text_cases
