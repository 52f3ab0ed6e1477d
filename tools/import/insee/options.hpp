// The options of INSEE's simulator FSIN, in one place, and a file of them as it is read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools::insee {

/// An option of fsin.conf: its names, of which the first is that by which values are asked for; what FSIN takes if it
/// is not given; and what it is here.
struct Option {
  std::vector<std::string> names;
  std::string fallback;
  OptionState state;
  std::string keys, comment;
};
[[nodiscard]] const std::vector<Option>& options();

/// The values of a file, "option=value" a line; lines that begin with # are comments, and of an option that is there
/// several times the last one counts.
class Values {
 public:
  /// Throws ConfigError with file and line for a line that is none, and for an option that FSIN does not have.
  Values(std::string_view text, std::string file);

  [[nodiscard]] bool given(const std::string& name) const { return given_.contains(name); }
  /// Names of the options that are given, in the order of the file.
  [[nodiscard]] std::vector<std::string> given() const;
  /// As given, or FSIN's default.
  [[nodiscard]] std::string text(const std::string& name) const;
  /// Its parts: "torus_8_8" are torus, 8, 8.
  [[nodiscard]] std::vector<std::string> parts(const std::string& name) const;
  /// Throw ConfigError with file and line for what is no such number.
  [[nodiscard]] i64 integer(const std::string& name) const;
  [[nodiscard]] double real(const std::string& name) const;
  [[nodiscard]] i64 integer_of(const std::string& name, const std::string& part) const;
  /// The number at a place of the parts, from 0; `fallback` if there are fewer.
  [[nodiscard]] i64 part(const std::string& name, std::size_t place, i64 fallback) const;
  /// "FILE:LINE", or "FILE" for an option that is not given.
  [[nodiscard]] std::string place(const std::string& name) const;
  /// "FILE:LINE: NAME=VALUE: problem".
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;

 private:
  struct Given {
    std::string text;
    u64 line;
  };
  std::string file_;
  std::map<std::string, Given> given_;  ///< by first name
};

}  // namespace weft::tools::insee
