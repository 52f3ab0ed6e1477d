// Standard output as the commands use it; see the header.
#include "engine/base/file/standard_output.hpp"

#include <cstdlib>
#include <iostream>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/file/reserved_output.hpp"

namespace weft::files {

void print(const std::string& text) {
  std::cout << text << std::flush;
  if (!std::cout)
    throw SystemError("cannot write to standard output (disk full or pipe closed); redirect it elsewhere");
}

bool colour_wanted() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (refused != nullptr && *refused != '\0') return false;
  // Open MPI gives its ranks a pseudo-terminal whatever mpirun's own output is: what lies behind it cannot be known.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return false;
  return ::isatty(standard_output()) == 1 && terminal != nullptr && std::string(terminal) != "dumb";
}

}  // namespace weft::files
