// Sentences about a line; see the header.
#include "engine/base/text/line_place.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft {

std::string place_of_line(const std::string& file, u64 line) { return fmt::format("{}:{}", shown(file), line); }

void fail_at_line(const std::string& file, u64 line, const std::string& problem) {
  throw InputError(fmt::format("{}: {}", place_of_line(file, line), problem));
}

void reject_at_line(const std::string& file, u64 line, const std::string& problem, std::string_view got,
                    const std::string& expected) {
  const std::string shown_got = got.empty() ? "nothing" : fmt::format("'{}'", shown(got, 40));
  fail_at_line(file, line, fmt::format("{} (got {}); expected {}", problem, shown_got, expected));
}

}  // namespace weft
