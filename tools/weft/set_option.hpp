// The options --set and --plugin of all commands that read a config.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/plugin/plugins.hpp"

namespace weft::tools {

inline void add_set(CLI::App* command, std::vector<std::string>& overrides, const std::string& help) {
  command->add_option("--set", overrides, help)
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

/// Plug-ins are loaded as the command line is read, so that all that follows knows what they register.
inline void add_plugin(CLI::App* command) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--plugin",
          [](const std::vector<std::string>& files) {
            for (const std::string& file : files) load_plugin(file, ".");
          },
          "load this plug-in, beside those of the config; may be repeated")
      ->type_name("LIBRARY.so")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace weft::tools
