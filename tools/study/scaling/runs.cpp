// Runs as JSON; see the header.
#include "tools/study/scaling/runs.hpp"

#include <filesystem>
#include <map>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/text/text_file.hpp"

namespace weft::tools {
namespace {

constexpr int log_format = 1;

std::string described(const RunRecord& run) {
  return std::to_string(run.ranks) + (run.ranks == 1 ? " rank, " : " ranks, ") + run.protocol + ", " + run.partition +
         ": " + run.digest;
}

}  // namespace

// Found by nlohmann-json through the namespace of the types.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunRecord, size, protocol, partition, ranks, repeat, config_hash, digest, topology,
                                   nodes, cycles, events, packet_hops, windows, remote_messages, edge_cut,
                                   bytes_per_node, balance, wall_s, setup_s, process_s, other_cores, cpu_s, blocked_s,
                                   exchange_s, rss_bytes, rank_events)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunLog, weft, program, host, cores, runs)

const RunRecord* RunLog::find(const ScalingStudy& study, const Cell& cell, u32 repeat) const {
  const StudySize& size = study.sizes[cell.size_ix];
  const std::string hash = size_hash(size);
  for (const RunRecord& run : runs) {
    if (run.size == size.name && run.config_hash == hash && run.ranks == cell.ranks && run.protocol == cell.protocol &&
        run.partition == cell.partition && run.repeat == repeat) {
      return &run;
    }
  }
  return nullptr;
}

RunRecord run_record(const nlohmann::json& summary) {
  RunRecord run;
  try {
    const nlohmann::json& engine = summary.at("engine");
    run.ranks = summary.at("ranks");
    run.digest = summary.at("digest");
    run.topology = summary.at("topology");
    run.nodes = summary.at("nodes");
    run.cycles = summary.at("cycles");
    run.protocol = engine.at("protocol");
    run.partition = engine.at("partition");
    run.events = engine.at("events");
    run.packet_hops = engine.at("packet_hops");
    run.windows = engine.at("windows");
    run.remote_messages = engine.at("remote_messages");
    run.edge_cut = engine.at("edge_cut");
    run.bytes_per_node = engine.at("bytes_per_node");
    run.balance = engine.at("balance");
    run.wall_s = engine.at("wall_s");
    run.setup_s = engine.at("setup_s");
    run.cpu_s = engine.at("cpu_s").get<std::vector<double>>();
    run.blocked_s = engine.at("blocked_s").get<std::vector<double>>();
    run.exchange_s = engine.at("exchange_s").get<std::vector<double>>();
    run.rss_bytes = engine.at("rss_bytes").get<std::vector<u64>>();
    run.rank_events = engine.at("rank_events").get<std::vector<u64>>();
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("the summary of a run is not what it should be (") + error.what() +
                     "); is the program another version of weft?");
  }
  return run;
}

std::string size_hash(const StudySize& size) { return hex_digits(size.config_hash); }

RunLog load_runs(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed) && !failed) return {};
  const std::string text = read_text_file<InputError>(path, u64{1} << 30, "log of runs");
  const nlohmann::json content = nlohmann::json::parse(text, nullptr, false);
  const std::string damaged = path + ": not a log of runs (";
  const char* const advice = "); remove it to make all runs again, or give the study another out";
  if (content.is_discarded()) throw InputError(damaged + "not JSON" + advice);
  try {
    if (content.at("format") != log_format) throw InputError(damaged + "another format" + advice);
    return content.get<RunLog>();
  } catch (const nlohmann::json::exception& error) {
    throw InputError(damaged + error.what() + advice);
  }
}

void save_runs(const RunLog& log, const std::string& path) {
  nlohmann::json content = log;
  content["format"] = log_format;
  files::write_file_atomically(path, content.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void check_digests(const RunLog& log) {
  std::map<std::string, const RunRecord*> first;
  for (const RunRecord& run : log.runs) {
    const RunRecord& other = *first.try_emplace(run.config_hash, &run).first->second;
    if (other.digest == run.digest) continue;
    throw SystemError("the runs of size '" + run.size +
                          "' have different digests (they did not compute the same history); if an input file has "
                          "changed remove the study's runs.json, else report this",
                      described(other) + "\n" + described(run));
  }
}

}  // namespace weft::tools
