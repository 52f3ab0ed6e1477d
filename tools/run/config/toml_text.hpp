// The TOML of configs and studies as text and as parsed tables: what every file of the user goes through first.
#pragma once

#include <string>
#include <string_view>
#include <toml++/toml.h>

#include "engine/base/types.hpp"

namespace weft::tools {

/// A config or a study holds no more; they are written by hand.
constexpr u64 most_toml_bytes = u64{1} << 20;

/// The line of `text` where tables or lists lie deeper in each other than any setting could (16 levels), 0 if there is
/// none: the parser goes down a level by calling itself, so that deep text would end the program.
[[nodiscard]] u64 too_deep_line(std::string_view text);

/// Parsed TOML. Throws ConfigError with file:line:column for what is no TOML or nests too deeply.
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& path);

/// "file.toml:12"; the file alone where the line is not known.
[[nodiscard]] std::string at_line(const std::string& path, const toml::source_region& source);

}  // namespace weft::tools
