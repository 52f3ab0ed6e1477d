// Functions of expressions about files that a run has written.
#pragma once

#include "tests/text_cases/values.hpp"

namespace weft::text_cases {

/// exists(path), text(path), json(path), csv(path, column) and hdf5(path, dataset): the values of a column.
[[nodiscard]] const Builtins& file_functions();

}  // namespace weft::text_cases
