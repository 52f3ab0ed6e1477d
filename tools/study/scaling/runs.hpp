// The runs of a scaling study that have been made, kept in its runs.json so that a study resumes where it stopped.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/study/scaling/study.hpp"

namespace weft::tools {

/// One run: which, and what its summary said (see docs/results.md).
struct RunRecord {
  std::string size, protocol, partition;  ///< as the matrix names them
  u32 ranks = 1, repeat = 0;
  std::string config_hash;  ///< of all settings that the result depends on
  std::string digest, topology;
  u64 nodes = 0, cycles = 0;
  u64 events = 0, packet_hops = 0, windows = 0, remote_messages = 0, edge_cut = 0, bytes_per_node = 0;
  double balance = 1;
  double wall_s = 0, setup_s = 0;                    ///< event loop, set-up
  double process_s = 0;                              ///< the whole process, start of the ranks included
  double other_cores = 0;                            ///< busy with other programs meanwhile, mean
  std::vector<double> cpu_s, blocked_s, exchange_s;  ///< [rank]
  std::vector<u64> rss_bytes, rank_events;           ///< [rank]
};

/// All runs of a study and where they were made.
struct RunLog {
  std::string weft;     ///< version
  std::string program;  ///< fingerprint of the program file
  std::string host;
  u32 cores = 0;
  std::vector<RunRecord> runs;

  /// The run of a cell, or nullptr.
  [[nodiscard]] const RunRecord* find(const ScalingStudy& study, const Cell& cell, u32 repeat) const;
};

/// Fills a record from the JSON summary of a run. Throws InputError if a key is missing.
[[nodiscard]] RunRecord run_record(const nlohmann::json& summary);

/// Fingerprint of the settings of a size, 16 hex digits.
[[nodiscard]] std::string size_hash(const StudySize& size);

/// Reads a log; an empty one if there is no such file. Throws InputError if it is not what save_runs wrote.
[[nodiscard]] RunLog load_runs(const std::string& path);
/// Throws SystemError.
void save_runs(const RunLog& log, const std::string& path);

/// Throws SystemError, naming two runs, if not all runs of one config have one digest.
void check_digests(const RunLog& log);

}  // namespace weft::tools
