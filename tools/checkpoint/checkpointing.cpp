// Settings of [checkpoint] and the comparison of a checkpoint with the config at hand.
#include "tools/checkpoint/checkpointing.hpp"

#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "engine/error.hpp"

namespace weft::tools {
namespace {

double steady_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Continues `hash` over a file, eight bytes at a time.
u64 hash_file(const std::string& path, u64 hash) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("'" + path + "' cannot be read; a checkpoint needs the files of its run");
  std::vector<char> block(1 << 20);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    std::memset(block.data() + count, 0, block.size() - count);
    for (std::size_t at = 0; at < count; at += 8) {
      u64 word;
      std::memcpy(&word, block.data() + at, 8);
      hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
      hash ^= hash >> 32;
    }
    hash += count;
  }
  return hash;
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
      last_s_(steady_s()),
      every_ticks_(static_cast<Tick>(config.integer("checkpoint.every_cycles")) * ticks_per_cycle) {}

bool Checkpointing::time_is_over() const { return every_s_ > 0 && steady_s() - last_s_ >= every_s_; }

void Checkpointing::written() { last_s_ = steady_s(); }

u64 inputs_hash(const Config& config) {
  u64 hash = 0;
  if (config.text("workload.kind") == "trace") hash = hash_file(config.resolve_path(config.text("workload.path")), 1);
  if (config.text("placement.policy") == "file")
    hash = hash_file(config.resolve_path(config.text("placement.path")), hash + 2);
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
