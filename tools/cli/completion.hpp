// Completion of the command line by shells: scripts made of what the command line knows of itself.
#pragma once

#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/cli/command_text.hpp"

namespace weft::tools {

/// What may stand for a value.
struct Completion {
  enum class Kind : u8 { nothing, words, files, folders, settings };
  Kind kind = Kind::nothing;
  std::vector<std::string> words;    ///< words
  std::vector<std::string> endings;  ///< files: "toml"; none: any file
};

/// By the name that help texts have for the value: "RESULT.h5", "FILE|-", "WHEN", "TABLE.KEY=VALUE".
[[nodiscard]] Completion completion_of(const OptionText& option);

/// The keys of all settings, with "=".
[[nodiscard]] std::vector<std::string> setting_words();

/// The scripts.
[[nodiscard]] std::string bash_completion(const CommandText& weft);
[[nodiscard]] std::string zsh_completion(const CommandText& weft);
[[nodiscard]] std::string fish_completion(const CommandText& weft);

/// The script for bash, zsh or fish. Throws ConfigError for another shell.
[[nodiscard]] std::string shell_completion(const std::string& shell, const CommandText& weft);

}  // namespace weft::tools
