// What `weft trace stats` says: as text, JSON, HDF5, a table of pairs, and a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "workloads/trace/edit/trace_stats.hpp"

namespace weft::tools {

struct StatsReport {
  std::string trace;  ///< as the user named it
  workloads::TraceStats stats;
  std::vector<std::string> missing;  ///< what the trace says is missing of it
};

[[nodiscard]] std::string text_of(const StatsReport& report);
/// The traffic matrix as lists of its pairs.
[[nodiscard]] nlohmann::json json_of(const StatsReport& report);
void write_hdf5(const StatsReport& report, const std::string& path);
/// A row for each pair of tasks with messages: from, to, messages, bytes.
void write_pairs(const StatsReport& report, const std::string& path);
/// The trace as a profile of `weft fabric applications`: fractions of the time of all tasks spent in point-to-point
/// messages, as exchanges with neighbours, and in collective operations, by their usual algorithms. Throws InputError
/// for a trace without times.
[[nodiscard]] std::string profile_of(const StatsReport& report);
/// One self-contained page of HTML with pictures.
[[nodiscard]] std::string page_of(const StatsReport& report);

/// "0", "1", "2 to 3", "1 KiB up to 2 KiB": the sizes of a bin.
[[nodiscard]] std::string bin_text(std::size_t bin);
/// Seconds of all tasks in a part of their time.
[[nodiscard]] double seconds_in(const workloads::TraceStats& stats, std::size_t part);

}  // namespace weft::tools
