// The options of BookSim 2, in one place, and a file of them as it is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/import/named_options.hpp"

namespace weft::tools::booksim {

/// As in booksim_config.cpp, of its releases and its later versions.
[[nodiscard]] const std::vector<NamedOption>& options();

/// A word with what stands in brackets behind it: "hotspot({0,5},{1,2})" is hotspot, "{0,5}", "{1,2}".
struct Call {
  std::string word;
  std::vector<std::string> arguments;
};
[[nodiscard]] Call call_of(std::string_view text);
/// The elements of "{a,b}", or the one element that it is.
[[nodiscard]] std::vector<std::string> elements_of(std::string_view text);

/// The values of a file: "option = value;", with comments behind // to the end of a line.
class Values : public OptionValues {
 public:
  /// Throws ConfigError with file and line for what is no option. Options of nobody are kept, to be told.
  Values(std::string_view text, const std::string& file);

  struct Unknown {
    std::string name, text;
    u64 line;
  };
  [[nodiscard]] const std::vector<Unknown>& unknown() const { return unknown_; }
  /// The first element of a list, one for each class.
  [[nodiscard]] std::string first(const std::string& name) const;
  /// The elements of a list, one for each class.
  [[nodiscard]] std::vector<std::string> each(const std::string& name) const { return elements_of(text(name)); }

 private:
  void assignment(std::string_view piece, u64 line);

  std::vector<Unknown> unknown_;
};

}  // namespace weft::tools::booksim
