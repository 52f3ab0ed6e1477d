// Standard output for what weft itself writes through std::cout, and nothing else: libraries print there too (METIS its
// complaints, communication libraries their warnings), and would break a summary that a script reads.
#pragma once

#include <streambuf>

namespace weft::files {

/// While it lives, std::cout writes to the standard output that the program was started with, and whatever else writes
/// to standard output, by printf or file descriptor 1, comes out on standard error. One at a time; main holds it.
class ReservedOutput {
 public:
  ReservedOutput();
  ~ReservedOutput();
  ReservedOutput(const ReservedOutput&) = delete;
  ReservedOutput& operator=(const ReservedOutput&) = delete;

 private:
  int descriptor_ = -1;
  std::streambuf* before_ = nullptr;
};

/// Descriptor of the standard output that the program was started with: to ask whether people look at it.
[[nodiscard]] int standard_output();

}  // namespace weft::files
