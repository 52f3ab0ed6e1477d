// Sections and options of a .conf, with their lines: names, quoted values, lists in parentheses, comments from # on.
#include "tools/import/codes/conf.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools::codes {
namespace {

constexpr std::size_t most_depth = 16;

struct Token {
  enum class Kind : u8 { word, text, sign, end } kind = Kind::end;
  std::string text;
  u64 line = 0;

  [[nodiscard]] bool is(char sign) const { return kind == Kind::sign && text.front() == sign; }
};

class Reader {
 public:
  Reader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) { next(); }

  Section whole() {
    Section all;
    body(all, 0);
    if (token_.kind != Token::Kind::end) fail("no section is open that this could close", "remove it");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    const std::string what = token_.kind == Token::Kind::end ? "the file ends here" : shown(token_.text);
    throw ConfigError(fmt::format("{}:{}: {}: {}; {}", shown(file_), token_.line, what, problem, advice));
  }

  void body(Section& into, std::size_t depth) {
    while (token_.kind == Token::Kind::word) {
      const Token name = token_;
      next();
      if (token_.is('{')) {
        if (depth == most_depth) fail(fmt::format("is a section more than {} deep", most_depth), "use fewer");
        next();
        Section& inner = into.sections.emplace_back(Section{name.text, name.line, {}, {}});
        body(inner, depth + 1);
        if (!token_.is('}'))
          fail(fmt::format("section {} of line {} is not closed", shown(name.text), name.line), "write } behind it");
        next();
      } else if (token_.is('=')) {
        next();
        into.entries.push_back(entry(name));
      } else {
        fail(fmt::format("behind {} there is neither = nor {{", shown(name.text)), "write NAME=\"VALUE\"; or NAME {");
      }
      if (token_.is(';')) next();  // files without one are read by CODES, too
    }
    if (token_.kind == Token::Kind::text || (token_.kind == Token::Kind::sign && !token_.is('}')))
      fail("is no option and no section", "write NAME=\"VALUE\"; or NAME { ... }");
  }

  Entry entry(const Token& name) {
    Entry read{.name = name.text, .values = {}, .list = token_.is('('), .line = name.line};
    if (!read.list) {
      if (token_.kind != Token::Kind::text && token_.kind != Token::Kind::word)
        fail(fmt::format("is no value of {}", shown(name.text)), "write it in quotes");
      read.values.push_back(token_.text);
      next();
      return read;
    }
    next();
    while (!token_.is(')')) {
      if (token_.kind != Token::Kind::text && token_.kind != Token::Kind::word)
        fail(fmt::format("is no value of the list {}", shown(name.text)), "write (\"A\", \"B\")");
      read.values.push_back(token_.text);
      next();
      if (token_.is(','))
        next();
      else if (!token_.is(')'))
        fail(fmt::format("stands in the list {} without a comma before it", shown(name.text)), "write (\"A\", \"B\")");
    }
    next();
    return read;
  }

  void next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
      } else if (c == '#') {
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
        break;
      }
      ++at_;
    }
    token_ = {.kind = Token::Kind::end, .text = "", .line = line_};
    if (at_ == text_.size()) return;
    const char c = text_[at_];
    if (c == '"') return quoted();
    if (std::string_view("{}()=,;").find(c) != std::string_view::npos) {
      token_ = {.kind = Token::Kind::sign, .text = std::string(1, c), .line = line_};
      ++at_;
      return;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == begin) {
      token_.text = text_.substr(at_, 1);
      token_.kind = Token::Kind::sign;
      fail("is no character of a config of CODES", "remove it, or put the value in quotes");
    }
    token_.kind = Token::Kind::word;
    token_.text = text_.substr(begin, at_ - begin);
  }

  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-@.+$/%:").find(c) != std::string_view::npos;
  }

  void quoted() {
    const std::size_t end = text_.find('"', at_ + 1);
    token_.kind = Token::Kind::text;
    if (end == std::string_view::npos || text_.substr(at_, end - at_).find('\n') != std::string_view::npos) {
      token_.text = text_.substr(at_, std::min<std::size_t>(40, text_.find('\n', at_) - at_));
      fail("is a value whose closing quotation mark is missing", "write it behind the value");
    }
    token_.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  u64 line_ = 1;
  Token token_;
};

}  // namespace

std::string Entry::text() const {
  if (!list) return fmt::format("{}=\"{}\"", name, values.front());
  std::string all;
  for (const std::string& value : values) all += fmt::format("{}\"{}\"", all.empty() ? "" : ",", value);
  return fmt::format("{}=({})", name, all);
}

const Section* Section::section(std::string_view wanted) const {
  const auto found = std::ranges::find(sections, wanted, &Section::name);
  return found == sections.end() ? nullptr : &*found;
}

Section parse_conf(std::string_view text, const std::string& file) { return Reader(text, file).whole(); }

}  // namespace weft::tools::codes
