// Finds how deep TOML nests without parsing it, then parses.
#include "tools/run/config/toml_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/foreign_config.hpp"

namespace weft::tools {

namespace {

constexpr u32 most_levels = 16;

/// Walks through TOML as far as it is valid; what comes after its first mistake is nobody's concern, since the parser
/// stops there.
class NestingScan {
 public:
  explicit NestingScan(std::string_view text) : text_(text), left_(text) {}

  u64 too_deep_line() {
    while (!left_.empty()) {
      step();
      if (brackets_ <= most_levels && dots_ < most_levels) continue;
      const std::string_view read = text_.substr(0, text_.size() - left_.size());
      return 1 + static_cast<u64>(std::count(read.begin(), read.end(), '\n'));
    }
    return 0;
  }

 private:
  void step() {
    const char c = left_.front();
    if (c == '#') {
      left_.remove_prefix(std::min(left_.find('\n'), left_.size()));
      return;
    }
    if (c == '"' || c == '\'') {
      skip_string(c);
      return;
    }
    left_.remove_prefix(1);
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
    // A key of dotted parts is a table in a table for each dot; in a value dots are those of numbers.
    if (c == '.' && !in_value_) ++dots_;
    if (c == '\n' || c == '{' || c == ',' || c == '=') {
      dots_ = 0;
      in_value_ = c == '=';
    }
  }

  void skip_string(char quote) {
    const std::string_view three = quote == '"' ? R"(""")" : "'''";
    const bool long_string = left_.starts_with(three);
    left_.remove_prefix(long_string ? 3 : 1);
    while (!left_.empty()) {
      if (quote == '"' && left_.front() == '\\') {
        left_.remove_prefix(std::min<std::size_t>(2, left_.size()));
      } else if (left_.starts_with(long_string ? three : three.substr(0, 1))) {
        left_.remove_prefix(long_string ? 3 : 1);
        // A long string may end in one or two quotes of its own.
        for (int own = 0; long_string && own < 2 && left_.starts_with(quote); ++own) left_.remove_prefix(1);
        return;
      } else {
        left_.remove_prefix(1);
      }
    }
  }

  std::string_view text_, left_;
  u32 brackets_ = 0, dots_ = 0;
  bool in_value_ = false;
};

}  // namespace

u64 too_deep_line(std::string_view text) { return NestingScan(text).too_deep_line(); }

toml::table parse_toml(std::string_view text, const std::string& path) {
  if (const u64 line = too_deep_line(text); line > 0) {
    throw ConfigError(fmt::format("{}:{}: tables or lists more than {} deep in each other (no setting is); {}",
                                  shown(path), line, most_levels, "is it the right file?"));
  }
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    if (const std::string simulator = simulator_of(text); !simulator.empty()) {
      const std::string config = std::filesystem::path(path).filename().replace_extension(".toml").string();
      throw ConfigError(
          fmt::format("{0} is a config of another simulator ({1}), not of weft; make one by weft import {0} --out {2}",
                      shown(path), simulator, shown(config)));
    }
    const auto& at = error.source().begin;
    throw ConfigError(fmt::format("{}:{}:{}: not valid TOML ({}); correct the line", shown(path), at.line, at.column,
                                  shown(error.description())));
  }
}

std::string at_line(const std::string& path, const toml::source_region& source) {
  return source.begin.line == 0 ? shown(path) : fmt::format("{}:{}", shown(path), source.begin.line);
}

}  // namespace weft::tools
