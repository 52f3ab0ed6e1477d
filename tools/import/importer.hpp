// Configs of other simulators, made into configs of weft; one file per simulator, found by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/registry.hpp"

namespace weft::tools {

/// What becomes of an option of another simulator.
enum class OptionState { same, nearest, left_out };
[[nodiscard]] constexpr const char* name_of(OptionState state) {
  return state == OptionState::same ? "same" : state == OptionState::nearest ? "nearest" : "left out";
}

/// An option of another simulator, for users: what it is here.
struct ForeignOption {
  std::string names;  ///< "rseed, rnds"
  OptionState state = OptionState::same;
  std::string keys;     ///< of weft; empty where it is left out
  std::string comment;  ///< how they differ, or why it is left out
};

/// A config of weft, as text, and what a user should know of it: what is not as it was, "FILE:LINE: ...".
struct ImportedConfig {
  std::string toml;
  std::vector<std::string> notes;
};

struct ConfigImporter {
  std::string help;  ///< one line: whose configs these are
  /// Whether a text looks like one of its configs.
  bool (*recognises)(std::string_view text) = nullptr;
  /// Throws ConfigError with `file` and line for what it does not know, and for what cannot be had here.
  ImportedConfig (*import)(std::string_view text, const std::string& file) = nullptr;
  std::vector<ForeignOption> (*options)() = nullptr;
};
using ImporterRegistry = Registry<ConfigImporter>;

}  // namespace weft::tools
