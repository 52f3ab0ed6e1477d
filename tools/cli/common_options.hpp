// Options that several commands have: --set and --plugin of those that read a config, --progress of long ones.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {

/// A config file and the `--set table.key=value` that come after it.
struct ConfigChoice {
  std::string path;
  std::vector<std::string> overrides;
};

inline void add_set(CLI::App* command, std::vector<std::string>& overrides, const std::string& help) {
  command->add_option("--set", overrides, help)
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

inline void add_progress(CLI::App* command, std::string& progress) {
  command->add_option("--progress", progress, "show progress on standard error: auto, always or never")
      ->type_name("WHEN")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
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

/// --set and --plugin.
inline void add_overrides(CLI::App* command, ConfigChoice& config) {
  add_set(command, config.overrides, "another value for a setting, table.key=value; may be repeated");
  add_plugin(command);
}

}  // namespace weft::tools
