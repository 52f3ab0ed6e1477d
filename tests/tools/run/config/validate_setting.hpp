// What the tests of validation share: a torus and a tree to be checked with settings of the command line.
#pragma once

#include <string>
#include <vector>

#include "tests/tools/run/config/config_file.hpp"

namespace weft::tools::testing {

struct Validate : ConfigFile {
  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
  const std::string tree_ = "[topology]\nkind = \"thin-tree\"\ndown = 4\nup = 2\nlevels = 2\n";

  std::string torus_error(const std::vector<std::string>& overrides) const {
    return validation_error(torus_, overrides);
  }
  std::string tree_error(const std::vector<std::string>& overrides) const { return validation_error(tree_, overrides); }
};

}  // namespace weft::tools::testing
