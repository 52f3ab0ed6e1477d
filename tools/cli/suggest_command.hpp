// What to tell a user who typed a word that no command takes: a command line that works, where one can be guessed.
#pragma once

#include <string>
#include <vector>

namespace weft::tools {

/// An option as it is typed, and what its value is called in the help; a flag has none.
struct KnownOption {
  std::string name;   ///< "--out"
  std::string value;  ///< "RESULT.h5"
};

/// What a command takes, as far as suggestions need it.
struct KnownCommand {
  std::string name;                   ///< "weft trace"
  std::vector<std::string> commands;  ///< those below it, relative to it: "run", "trace info"
  std::vector<KnownOption> options;
};

/// Text of the error about `word`, which begins with "-" and is no option of `command`; `next` is what follows it on
/// the command line ("" for nothing).
[[nodiscard]] std::string about_unknown_option(const KnownCommand& command, const std::string& word,
                                               const std::string& next);

/// Text of the error about `word`, which is no command below `command`, or one word too many for it.
[[nodiscard]] std::string about_unknown_word(const KnownCommand& command, const std::string& word);

}  // namespace weft::tools
