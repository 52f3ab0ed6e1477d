// What `sst --output-json` has: components with their parameters and subcomponents, and the links between their ports.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/import/importer.hpp"
#include "tools/import/sst/json_lines.hpp"

namespace weft::tools::sst {

struct Parameter {
  std::string value;
  u64 line = 0;
};

struct Component {
  std::string name, type, slot;
  u64 line = 0;
  std::map<std::string, Parameter> params;  ///< those of global sets too, which its own win over
  std::vector<Component> parts;             ///< subcomponents

  /// Itself, or the part within it of a type that begins so; null if there is none.
  [[nodiscard]] const Component* part_of_type(std::string_view type) const;
  [[nodiscard]] const Component* part_in_slot(std::string_view slot) const;
  /// The value of the first of those names that is given, here or in any part.
  [[nodiscard]] const Parameter* find(std::string_view wanted) const;
};

struct Link {
  struct End {
    u32 component = 0;  ///< place in Model::components
    std::string port;
    std::string latency;
  } left, right;
  u64 line = 0;
};

struct Model {
  std::string file;
  std::vector<Component> components;
  std::vector<Link> links;

  [[noreturn]] void fail(u64 line, const std::string& what) const;
};

/// Throws ConfigError with file and line for JSON that is no output of SST, or lacks its links.
[[nodiscard]] Model read_model(const ForeignFile& file);

}  // namespace weft::tools::sst
