// The options of INSEE's simulator FSIN, in one place, and a file of them as it is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/import/named_options.hpp"

namespace weft::tools::insee {

[[nodiscard]] const std::vector<NamedOption>& options();

/// The values of a file, "option=value" a line; lines that begin with # are comments.
class Values : public OptionValues {
 public:
  /// Throws ConfigError with file and line for a line that is none, and for an option that FSIN does not have.
  Values(std::string_view text, const std::string& file);

  /// Parts of a value: "torus_8_8" are torus, 8, 8.
  [[nodiscard]] std::vector<std::string> parts(const std::string& name) const;
  /// The number at a place of the parts, from 0; `fallback` if there are fewer.
  [[nodiscard]] i64 part(const std::string& name, std::size_t place, i64 fallback) const;
};

}  // namespace weft::tools::insee
