// Fields and numbers of text formats; see the header.
#include "workloads/trace/format/text_fields.hpp"

#include <cmath>

#include "engine/base/text/parsed.hpp"

namespace weft::workloads {
namespace {

bool separates_fields(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

void split_at_blanks(std::string_view text, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && separates_fields(text[at])) ++at;
    const std::size_t begin = at;
    while (at < text.size() && !separates_fields(text[at])) ++at;
    if (at > begin) fields.push_back(text.substr(begin, at - begin));
  }
}

void split_at(std::string_view text, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace weft::workloads
