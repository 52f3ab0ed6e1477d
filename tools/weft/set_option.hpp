// The option --set of all commands that read a config.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace weft::tools {

inline void add_set(CLI::App* command, std::vector<std::string>& overrides, const std::string& help) {
  command->add_option("--set", overrides, help)
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace weft::tools
