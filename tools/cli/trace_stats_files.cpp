// Statistics of traces for other programs: JSON, HDF5, CSV.
#include <fmt/format.h>
#include <map>
#include <string>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "engine/base/text/csv.hpp"
#include "tools/cli/trace_stats_outputs.hpp"
#include "version.hpp"

namespace weft::tools {
namespace {

using workloads::TimeShares;
using workloads::TraceStats;
using workloads::TrafficPair;

/// Columns of a table that is filled row by row.
struct SizeColumns {
  std::vector<u64> least, most, count, bytes;
  void add(std::size_t bin, const workloads::Traffic& traffic) {
    least.push_back(workloads::least_of_bin(bin));
    most.push_back(workloads::most_of_bin(bin));
    count.push_back(traffic.count);
    bytes.push_back(traffic.bytes);
  }
};

SizeColumns sizes_of(const TraceStats& stats) {
  SizeColumns columns;
  for (std::size_t bin = 0; bin < workloads::size_bins; ++bin) {
    if (stats.sizes[bin].count > 0) columns.add(bin, stats.sizes[bin]);
  }
  return columns;
}

struct PairColumns {
  std::vector<u64> from, to, messages, bytes;
  explicit PairColumns(const TraceStats& stats) {
    for (const TrafficPair& pair : stats.pairs) {
      from.push_back(pair.from);
      to.push_back(pair.to);
      messages.push_back(pair.messages.count);
      bytes.push_back(pair.messages.bytes);
    }
  }
};

/// `what`: messages, or calls of tasks.
void add_sizes(files::Hdf5Writer& file, const std::string& group, const SizeColumns& sizes, const std::string& what) {
  file.column(group + "/least_bytes", sizes.least, "bytes");
  file.column(group + "/most_bytes", sizes.most, "bytes");
  file.column(group + "/" + what, sizes.count, what == "calls" ? "calls of tasks" : what);
  file.column(group + "/bytes", sizes.bytes, "bytes");
}

std::vector<u64> nanoseconds_of(const TraceStats& stats, std::size_t part) {
  std::vector<u64> ns;
  for (const TimeShares& times : stats.times) ns.push_back(times.ns[part]);
  return ns;
}

}  // namespace

nlohmann::json json_of(const StatsReport& report) {
  const TraceStats& stats = report.stats;
  const SizeColumns sizes = sizes_of(stats);
  const PairColumns pairs(stats);
  nlohmann::json collectives = nlohmann::json::object(), times = nlohmann::json::object();
  for (const auto& [operation, traffic] : stats.collectives)
    collectives[std::string(workloads::name_of(operation))] = {
        {"calls", traffic.count}, {"bytes", traffic.bytes}, {"sizes", nlohmann::json::array()}};
  for (const auto& [operation, ns] : stats.collective_ns)
    collectives[std::string(workloads::name_of(operation))]["ns"] = ns;
  for (const auto& [key, traffic] : stats.collective_sizes)
    collectives[std::string(workloads::name_of(key.first))]["sizes"].push_back(
        {{"least_bytes", workloads::least_of_bin(key.second)},
         {"most_bytes", workloads::most_of_bin(key.second)},
         {"calls", traffic.count},
         {"bytes", traffic.bytes}});
  const std::size_t parts = stats.has_times ? TimeShares::parts : 1;
  for (std::size_t part = 0; part < parts; ++part)
    times[fmt::format("{}_ns", TimeShares::names[part])] = nanoseconds_of(stats, part);
  nlohmann::json json = {
      {"weft", version},
      {"trace", report.trace},
      {"tasks", stats.tasks},
      {"messages", stats.messages.count},
      {"bytes", stats.messages.bytes},
      {"messages_of_unknown_size", stats.messages_of_unknown_size},
      {"sizes",
       {{"least_bytes", sizes.least}, {"most_bytes", sizes.most}, {"messages", sizes.count}, {"bytes", sizes.bytes}}},
      {"pairs", {{"from", pairs.from}, {"to", pairs.to}, {"messages", pairs.messages}, {"bytes", pairs.bytes}}},
      {"partners", {{"sends_to", stats.partners_to}, {"receives_from", stats.partners_from}}},
      {"collectives", collectives},
      {"calls_of_unknown_size", stats.calls_of_unknown_size},
      {"times", times}};
  if (!report.missing.empty()) json["missing"] = report.missing;
  return json;
}

void write_hdf5(const StatsReport& report, const std::string& path) {
  const TraceStats& stats = report.stats;
  files::Hdf5Writer file(path);
  file.attribute("/", "format", "weft trace stats 2");
  file.attribute("/", "weft", std::string(version));
  file.scalar("/trace", report.trace, "");
  file.scalar("/tasks", u64{stats.tasks}, "tasks");
  if (!report.missing.empty()) file.column("/missing", report.missing, "");
  file.scalar("/messages", stats.messages.count, "messages");
  file.scalar("/bytes", stats.messages.bytes, "bytes");
  file.scalar("/messages_of_unknown_size", stats.messages_of_unknown_size, "messages");
  add_sizes(file, "/sizes", sizes_of(stats), "messages");
  const PairColumns pairs(stats);
  file.column("/pairs/from", pairs.from, "task");
  file.column("/pairs/to", pairs.to, "task");
  file.column("/pairs/messages", pairs.messages, "messages");
  file.column("/pairs/bytes", pairs.bytes, "bytes");
  file.column("/partners/sends_to", std::vector<u64>(stats.partners_to.begin(), stats.partners_to.end()), "tasks");
  file.column("/partners/receives_from", std::vector<u64>(stats.partners_from.begin(), stats.partners_from.end()),
              "tasks");
  for (std::size_t part = 0; part < (stats.has_times ? TimeShares::parts : 1); ++part)
    file.column(fmt::format("/times/{}_ns", TimeShares::names[part]), nanoseconds_of(stats, part), "ns");
  std::map<std::string, SizeColumns> sizes;
  for (const auto& [key, traffic] : stats.collective_sizes)
    sizes[std::string(workloads::name_of(key.first))].add(key.second, traffic);
  for (const auto& [operation, traffic] : stats.collectives) {
    const std::string at = fmt::format("/collectives/{}", workloads::name_of(operation));
    file.scalar(at + "/calls", traffic.count, "calls of tasks");
    file.scalar(at + "/bytes", traffic.bytes, "bytes");
    if (const auto ns = stats.collective_ns.find(operation); ns != stats.collective_ns.end())
      file.scalar(at + "/ns", ns->second, "ns");
    add_sizes(file, at + "/sizes", sizes[std::string(workloads::name_of(operation))], "calls");
  }
  file.scalar("/calls_of_unknown_size", stats.calls_of_unknown_size, "calls of tasks");
  file.save();
}

void write_pairs(const StatsReport& report, const std::string& path) {
  constexpr std::size_t piece_bytes = 64 * 1024;
  files::AtomicFile file(path);
  CsvText csv;
  for (const char* name : {"from", "to", "messages", "bytes"}) csv.cell(std::string(name));
  csv.end_row();
  for (const TrafficPair& pair : report.stats.pairs) {
    csv.cell(pair.from);
    csv.cell(pair.to);
    csv.cell(pair.messages.count);
    csv.cell(pair.messages.bytes);
    csv.end_row();
    if (csv.size() > piece_bytes) file.write(csv.take());
  }
  file.write(csv.take());
  file.commit();
}

}  // namespace weft::tools
