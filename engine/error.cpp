// Out-of-line part of the assertions, so that the fast path stays small.
#include "engine/error.hpp"

namespace weft {

void fail_assertion(const char* expression, const char* file, int line) {
  throw Bug(std::string("internal error: ") + expression + " does not hold (" + file + ":" + std::to_string(line) +
            "); please report this with the config that caused it");
}

}  // namespace weft
