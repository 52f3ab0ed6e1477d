// JSON with the line of each value, which errors and comments of an import name.
#include "tools/import/sst/json_lines.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools::sst {
namespace {

constexpr std::size_t most_depth = 64;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Json whole() {
    Json value = read(0);
    blanks();
    if (at_ != text_.size()) fail("stands behind the end of the JSON; remove it");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string here = at_ >= text_.size() ? "the file ends here" : shown(text_.substr(at_, end - at_), 30);
    throw ConfigError(fmt::format("{}:{}: {} (offset {}) {}", shown(file_), line_, here, at_, problem));
  }

  void blanks() {
    for (; at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0; ++at_)
      line_ += text_[at_] == '\n' ? 1 : 0;
  }
  bool accept(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Json read(std::size_t depth) {
    blanks();
    Json value;
    value.line = line_;
    if (at_ == text_.size()) fail("where a value is expected (the file is cut off); copy it whole");
    if (depth == most_depth) fail(fmt::format("is more than {} deep; it is no output of sst", most_depth));
    const char c = text_[at_];
    if (c == '{' || c == '[') {
      value.kind = c == '{' ? Json::Kind::object : Json::Kind::list;
      members(value, depth);
    } else if (c == '"') {
      value.kind = Json::Kind::text;
      value.text = string();
    } else {
      std::size_t end = at_;
      while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 ||
                                    std::string_view("+-.").find(text_[end]) != std::string_view::npos))
        ++end;
      value.text = text_.substr(at_, end - at_);
      if (value.text == "null")
        value.kind = Json::Kind::null;
      else if (value.text == "true" || value.text == "false")
        value.kind = Json::Kind::boolean;
      else if (!value.text.empty() && (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-'))
        value.kind = Json::Kind::number;
      else
        fail("is no value of JSON; sst --output-json writes such a file");
      at_ = end;
    }
    return value;
  }

  void members(Json& value, std::size_t depth) {
    const bool object = value.kind == Json::Kind::object;
    const char close = object ? '}' : ']';
    ++at_;
    if (accept(close)) return;
    for (;;) {
      std::string name;
      if (object) {
        blanks();
        if (at_ == text_.size() || text_[at_] != '"') fail("where a name in quotes is expected; check the file");
        name = string();
        if (!accept(':')) fail("where a colon is expected behind a name; check the file");
      }
      value.members.emplace_back(std::move(name), read(depth + 1));
      if (accept(close)) return;
      if (!accept(',')) fail(fmt::format("where a comma or {} is expected; check that the file is whole", close));
    }
  }

  std::string string() {
    std::string read;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') fail("is a text whose closing quotation mark is missing; check the file");
      if (text_[at_] != '\\' || at_ + 1 == text_.size()) {
        read.push_back(text_[at_]);
        continue;
      }
      const char c = text_[++at_];
      // Names and values of SST are plain; other escapes stay as they are.
      if (c == '"' || c == '\\' || c == '/')
        read.push_back(c);
      else if (c == 'n' || c == 't' || c == 'r')
        read.push_back(' ');
      else
        read.append({'\\', c});
    }
    if (at_ >= text_.size()) fail("within a text (the file is cut off); copy it whole");
    ++at_;
    return read;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  u64 line_ = 1;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  const auto found = std::ranges::find_if(members, [&](const auto& member) { return member.first == name; });
  return found == members.end() ? nullptr : &found->second;
}

Json parse_json(std::string_view text, const std::string& file) { return Reader(text, file).whole(); }

}  // namespace weft::tools::sst
