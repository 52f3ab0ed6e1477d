// Out-of-line part of the assertions, so that the fast path stays small.
#include "engine/base/error.hpp"

#include <fmt/format.h>

namespace weft {

void fail_assertion(const char* expression, const char* file, int line) {
  throw Bug(fmt::format("internal error: {} does not hold ({}:{}); please report this with the config that caused it",
                        expression, file, line));
}

}  // namespace weft
