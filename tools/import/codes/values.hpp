// A config of CODES as a conversion reads it: values with their defaults, and what became of each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/import/codes/conf.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools::codes {

class Values {
 public:
  /// Throws ConfigError where there are no LPGROUPS and PARAMS.
  explicit Values(const ForeignFile& file);
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  /// What model-net simulates: "dragonfly_dally" of modelnet_dragonfly_dally.
  [[nodiscard]] const std::string& model() const { return model_; }
  /// LPs of a name in all repetitions; 0 if there are none.
  [[nodiscard]] i64 lps(const std::string& name) const;
  [[nodiscard]] i64 processes() const;  ///< nw-lp or server LPs
  [[nodiscard]] i64 terminals() const { return lps("modelnet_" + model_); }
  /// Throws ConfigError unless PARAMS make so many nodes.
  void check_nodes(i64 nodes) const;

  [[nodiscard]] bool given(const std::string& name) const { return find(name) != nullptr; }
  [[nodiscard]] std::string text(const std::string& name, const std::string& fallback) const;
  /// Throw ConfigError with file and line for what is no number from `least` on, or of none that is given or known.
  [[nodiscard]] i64 integer(const std::string& name, i64 fallback, i64 least = 1) const;
  [[nodiscard]] i64 integer(const std::string& name) const;
  [[nodiscard]] double real(const std::string& name, double fallback, double least = 0) const;
  [[nodiscard]] std::vector<i64> integers(const std::string& name) const;
  /// The first of those names that is given, else the first.
  [[nodiscard]] std::string one_of(const std::vector<std::string>& names) const;

  void note(const std::string& name, const std::string& what, OptionState state = OptionState::nearest);
  void leave_out(const std::string& name, const std::string& why) { note(name, why, OptionState::left_out); }
  /// Options of PARAMS become what the model makes of them; of those that it does not read, notes say so.
  [[nodiscard]] std::vector<ImportedLine> lines() const;

  [[nodiscard]] const Section* section(std::string_view name) const { return tree_.section(name); }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;
  [[noreturn]] void fail_at(u64 line, const std::string& what) const;

 private:
  [[nodiscard]] const Entry* find(const std::string& name) const;
  void read_groups(const Section& groups);
  [[nodiscard]] i64 number(const Entry& entry, const std::string& text, i64 least) const;
  void add_lines(const Section& section, std::vector<ImportedLine>& lines) const;

  std::string file_;
  Section tree_;
  const Section* params_ = nullptr;
  const Section* group_ = nullptr;
  std::string model_;
  i64 repetitions_ = 0;
  struct Note {
    OptionState state;
    std::string what;
  };
  std::map<std::string, Note> notes_;  ///< by option; of the others the table of options says what they are
};

}  // namespace weft::tools::codes
