// Options of another simulator by name: the table of all that it has, and the values that a file gives some of them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/import/importer.hpp"
#include "tools/import/toml_writer.hpp"

namespace weft::tools {

/// An option: its names, of which the first is that by which values are asked for; what the simulator takes if it is
/// not given; and what it is here.
struct NamedOption {
  std::vector<std::string> names;
  std::string fallback;
  OptionState state;
  std::string keys, comment;
};

/// As `weft import --options` lists them.
[[nodiscard]] std::vector<ForeignOption> listed(const std::vector<NamedOption>& options);

/// The values of a file. Of an option that is given several times the last one counts.
class OptionValues {
 public:
  /// `options` must outlive it. `simulator`: "FSIN", for messages; `name`: "insee", as --options takes it.
  OptionValues(const std::vector<NamedOption>& options, std::string simulator, std::string name, std::string file)
      : options_(options), simulator_(std::move(simulator)), name_(std::move(name)), file_(std::move(file)) {}

  /// Throws ConfigError with file and line for an option that the simulator does not have.
  void give(const std::string& name, std::string text, u64 line);
  /// Whether there is such an option.
  [[nodiscard]] bool knows(const std::string& name) const { return find(name) != nullptr; }
  [[nodiscard]] const NamedOption& option(const std::string& name) const;

  [[nodiscard]] bool given(const std::string& name) const { return given_.contains(name); }
  /// Names of the options that are given, in the order of the file.
  [[nodiscard]] std::vector<std::string> given() const;
  /// As given, or the simulator's default.
  [[nodiscard]] std::string text(const std::string& name) const;
  /// Throw ConfigError with file and line for what is no such number.
  [[nodiscard]] i64 integer(const std::string& name) const { return integer_of(name, text(name)); }
  [[nodiscard]] double real(const std::string& name) const { return real_of(name, text(name)); }
  [[nodiscard]] i64 integer_of(const std::string& name, const std::string& part) const;
  [[nodiscard]] double real_of(const std::string& name, const std::string& part) const;
  /// The value; throws ConfigError if it is below `least`, or beyond what networks have.
  [[nodiscard]] i64 at_least(const std::string& name, i64 value, i64 least) const;
  [[nodiscard]] i64 at_least(const std::string& name, i64 least) const { return at_least(name, integer(name), least); }
  /// The word of this simulator for one of the other's. `words`: (theirs, ours). Throws ConfigError for others.
  [[nodiscard]] std::string word_of(const std::string& name, const std::string& given,
                                    const std::vector<std::pair<const char*, const char*>>& words) const;
  [[nodiscard]] const std::string& file() const { return file_; }
  /// The name by which it is given, or its first one.
  [[nodiscard]] std::string spelt(const std::string& name) const;
  /// "FILE:LINE", or "FILE" for an option that is not given.
  [[nodiscard]] std::string place(const std::string& name) const;
  /// "FILE:LINE: NAME=VALUE: problem".
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;

 private:
  struct Given {
    std::string name;  ///< of those that it has
    std::string text;
    u64 line;
  };
  [[nodiscard]] const NamedOption* find(const std::string& name) const;

  const std::vector<NamedOption>& options_;
  std::string simulator_, name_, file_;
  std::map<std::string, Given> given_;  ///< by first name
};

/// What is said of options that the table does not say: by what differs in this config.
class OptionNotes {
 public:
  /// As it was, though the table says otherwise of other values.
  void same(const std::string& option, const std::string& what) { notes_[option] = {OptionState::same, what}; }
  /// What is not as it was.
  void note(const std::string& option, const std::string& what) { notes_[option] = {OptionState::nearest, what}; }
  void leave_out(const std::string& option, const std::string& why) { notes_[option] = {OptionState::left_out, why}; }
  /// What became of each option that is given, in the order of the file, then of those whose defaults differ. An option
  /// that is left out, but has the simulator's default, is what it is here anyway.
  /// `equals`: how the file assigns, "=" or " = ".
  [[nodiscard]] std::vector<ImportedLine> lines(const OptionValues& in, const char* equals) const;

 private:
  struct Note {
    OptionState state;
    std::string what;
  };
  std::map<std::string, Note> notes_;  ///< by option
};

}  // namespace weft::tools
