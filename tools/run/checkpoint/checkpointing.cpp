// Settings of [checkpoint] and the comparison of a checkpoint with the config at hand.
#include "tools/run/checkpoint/checkpointing.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/given.hpp"
#include "tools/run/plugin/plugins.hpp"

namespace weft::tools {
namespace {

/// The lines of a canonical config that matter for the history, with their table: "router.virtual_channels = 3".
std::vector<std::string> settings_of(const std::string& toml) {
  std::vector<std::string> lines;
  std::istringstream text(toml);
  std::string table;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line.starts_with("plugins = ")) continue;
    if (line.front() == '[') {
      const auto name = line.find_first_not_of('[');
      table = line.substr(name, line.find(']') - name);
    } else if (table != "parallel" && table != "checkpoint") {
      lines.push_back((table.empty() ? "" : table + ".") + line);
    }
  }
  return lines;
}

/// "the plug-ins libmine.so 0123456789abcdef, ..." for lines of names and hashes.
std::string plugins_in_words(const std::string& lines) {
  if (lines.empty()) return "no plug-ins";
  std::string text = "the plug-ins ";
  for (const char c : lines) text += c == '\n' ? std::string(", ") : std::string(1, c);
  return shown(text, 1000);
}

}  // namespace

Checkpointing::Checkpointing(const Config& config, Tick ticks_per_cycle, double now_s)
    : every_s_(static_cast<double>(config.integer("checkpoint.every_seconds"))),
      last_s_(now_s),
      every_ticks_(static_cast<Tick>(config.integer("checkpoint.every_cycles")) * ticks_per_cycle) {}

std::string checkpoint_path(const Config& config, const std::string& out) {
  if (given_otherwise(config, "checkpoint.path")) return config.text("checkpoint.path");
  if (out.empty()) return default_checkpoint;
  const std::filesystem::path result(out);
  const std::string ending = result.extension().string();
  return (ending == ".h5" || ending == ".hdf5" ? out.substr(0, out.size() - ending.size()) : out) + ".ckpt.h5";
}

bool checkpoint_wanted(const Config& config) {
  return config.integer("checkpoint.every_seconds") != 0 || config.integer("checkpoint.every_cycles") != 0 ||
         given_otherwise(config, "checkpoint.path");
}

void check_belongs(const CheckpointReader& checkpoint, const Config& config, u64 inputs_hash) {
  const CheckpointHeader& header = checkpoint.header();
  if (const std::string now = plugin_text(); now != header.plugins) {
    throw ConfigError(fmt::format(
        "the checkpoint is of a run with {}, this one has {}; resume with the plug-ins that it was written with",
        plugins_in_words(header.plugins), plugins_in_words(now)));
  }
  if (header.config_hash != config.hash()) {
    const auto then = settings_of(header.config_toml), now = settings_of(config.toml());
    for (std::size_t k = 0; k < now.size() && k < then.size(); ++k) {
      if (then[k] != now[k]) {
        throw ConfigError(
            fmt::format("the checkpoint is of another run: it has {}, this config has {}; resume with the config that "
                        "it was written with",
                        then[k], now[k]));
      }
    }
    throw ConfigError(
        "the checkpoint is of a run with other settings; resume with the config that it was written with");
  }
  if (header.inputs_hash != inputs_hash) {
    throw InputError(
        "the trace or the placement file has changed since the checkpoint was written; put the old one back");
  }
}

}  // namespace weft::tools
