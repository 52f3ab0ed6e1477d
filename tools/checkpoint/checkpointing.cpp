// Settings of [checkpoint] and the comparison of a checkpoint with the config at hand.
#include "tools/checkpoint/checkpointing.hpp"

#include <sstream>
#include <vector>

#include "engine/error.hpp"
#include "tools/hash/hash.hpp"
#include "tools/machine/machine.hpp"

namespace weft::tools {
namespace {

/// Of a file that a run needs.
u64 needed_hash(const std::string& path) {
  const std::optional<u64> hash = hash_file(path);
  if (!hash) throw InputError("'" + path + "' cannot be read; a checkpoint needs the files of its run");
  return *hash;
}

/// The lines of a canonical config that matter for the history, with their table: "router.virtual_channels = 3".
std::vector<std::string> settings_of(const std::string& toml) {
  std::vector<std::string> lines;
  std::istringstream text(toml);
  std::string table;
  for (std::string line; std::getline(text, line);) {
    if (line.empty()) continue;
    if (line.front() == '[') {
      table = line.substr(1, line.find(']') - 1);
    } else if (table != "parallel" && table != "checkpoint") {
      lines.push_back((table.empty() ? "" : table + ".") + line);
    }
  }
  return lines;
}

}  // namespace

Checkpointing::Checkpointing(const Config& config, Tick ticks_per_cycle)
    : path_(config.text("checkpoint.path")),
      every_s_(static_cast<double>(config.integer("checkpoint.every_seconds"))),
      last_s_(wall_s()),
      every_ticks_(static_cast<Tick>(config.integer("checkpoint.every_cycles")) * ticks_per_cycle) {}

bool Checkpointing::time_is_over() const { return every_s_ > 0 && wall_s() - last_s_ >= every_s_; }

void Checkpointing::written() { last_s_ = wall_s(); }

u64 inputs_hash(const Config& config) {
  u64 hash = 0;
  if (config.text("workload.kind") == "trace") hash = needed_hash(config.resolve_path(config.text("workload.path")));
  if (config.text("placement.policy") == "file") {
    const u64 both[2] = {hash, needed_hash(config.resolve_path(config.text("placement.path")))};
    hash = hash_bytes(std::as_bytes(std::span(both)));
  }
  return hash;
}

void check_belongs(const CheckpointReader& checkpoint, const Config& config) {
  const CheckpointHeader& header = checkpoint.header();
  if (header.config_hash != config.hash()) {
    const auto then = settings_of(header.config_toml), now = settings_of(config.toml());
    for (std::size_t k = 0; k < now.size() && k < then.size(); ++k) {
      if (then[k] != now[k]) {
        throw ConfigError("the checkpoint is of another run: it has " + then[k] + ", this config has " + now[k] +
                          "; resume with the config that it was written with");
      }
    }
    throw ConfigError(
        "the checkpoint is of a run with other settings; resume with the config that it was written with");
  }
  if (header.inputs_hash != inputs_hash(config)) {
    throw InputError(
        "the trace or the placement file has changed since the checkpoint was written; put the old one back");
  }
}

}  // namespace weft::tools
