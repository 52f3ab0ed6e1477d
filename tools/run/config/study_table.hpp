// A table of a study file, read key by key, so that what nobody asked for is an error with a suggestion.
#pragma once

#include <string>
#include <toml++/toml.h>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

/// The content of a study file; to be parsed with parse_toml (tools/run/config/toml_text.hpp). Throws ConfigError,
/// SystemError for a read error.
[[nodiscard]] std::string study_text(const std::string& path);
/// A number, text, flag or list of integers as TOML that `--set` reads back. Throws ConfigError for anything else.
[[nodiscard]] std::string toml_value(const toml::node& node, const std::string& place);

/// Reads the keys of one table. All members throw ConfigError with file:line.
class StudyTable {
 public:
  /// `name` as it is written: "sweep", "[sweep.axis]".
  StudyTable(const toml::table& table, std::string name, std::string path);

  /// Throws for the first key that is not in `known`, with the nearest one.
  void allow_only(const std::vector<std::string>& known) const;
  [[nodiscard]] bool has(const std::string& key) const;
  /// file:line of the key, of the table if it is not there.
  [[nodiscard]] std::string place(const std::string& key = "") const;
  [[nodiscard]] std::string text(const std::string& key, const std::string& fallback) const;
  [[nodiscard]] u32 number(const std::string& key, u32 fallback, u32 least, u32 most) const;
  /// A number that is finite and not below 0; `fallback` if not there.
  [[nodiscard]] double real(const std::string& key, double fallback) const;
  /// Likewise, but it must be there, and may be any.
  [[nodiscard]] double real(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;  ///< empty if not there
  /// The list at `key`. Throws if it is no list or empty.
  [[nodiscard]] const toml::array& list(const std::string& key) const;
  [[nodiscard]] const toml::node& node(const std::string& key) const;
  /// The table at `key`; null if the key is not there. Throws if it is something else.
  [[nodiscard]] const toml::table* table(const std::string& key) const;
  /// The tables [[name.key]]; none if the key is not there. Throws if it is something else.
  [[nodiscard]] std::vector<const toml::table*> tables(const std::string& key) const;
  /// Throws ConfigError: place: [table] key PROBLEM.
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;

 private:
  [[nodiscard]] std::string below(const std::string& key) const;

  const toml::table& table_;
  std::string name_, path_;
};

}  // namespace weft::tools
