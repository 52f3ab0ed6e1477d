// What SimGrid's files give, attribute by attribute, and what became of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools::simgrid {

/// An attribute of an element ("cluster", "bw"), a property of <config> ("config", "smpi/os"), or a line of a file that
/// is no XML ("hostfile", "").
struct Option {
  std::string element, name;
  OptionState state = OptionState::same;
  std::string keys, comment;
};
[[nodiscard]] const std::vector<Option>& options();

/// All that is given, in the order of the files.
class Given {
 public:
  /// Notes an option with what the table of options says of it; what the table does not have is left out.
  void add(const std::string& place, const std::string& element, const std::string& name, const std::string& value);
  /// An element that SimGrid may know and weft does not.
  void add_unknown(const std::string& place, const std::string& element);
  /// What becomes of an option wherever it is given, other than the table says.
  void becomes(const std::string& element, const std::string& name, OptionState state, const std::string& what);
  [[nodiscard]] bool has(const std::string& element, const std::string& name) const;
  [[nodiscard]] std::vector<ImportedLine> lines() const;

 private:
  struct One {
    std::string element, name;
    ImportedLine line;
  };
  std::vector<One> all_;
};

}  // namespace weft::tools::simgrid
