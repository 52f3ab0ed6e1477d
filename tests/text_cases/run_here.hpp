// A command of weft in this process: what its user would see of it.
#pragma once

#include <string>
#include <vector>

namespace weft::text_cases {

struct Outcome {
  int code = 0;
  std::string out, err;
};

/// What `weft WORDS...` does, of commands that start no other programs. One at a time: standard output and standard
/// error of the process are its own until it is over.
[[nodiscard]] Outcome run_here(const std::vector<std::string>& words);

}  // namespace weft::text_cases
