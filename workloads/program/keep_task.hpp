// Which tasks of a program a process keeps.
#pragma once

#include <functional>

#include "engine/base/types.hpp"

namespace weft::workloads {

/// Which tasks to keep; asked once per task. Empty: all.
using KeepTask = std::function<bool(u32 task)>;

}  // namespace weft::workloads
