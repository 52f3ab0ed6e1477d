// Packs the records of a timeline, row by row; see timeline_model.js for how they are read.
#include "tools/report/figures/timeline_figure.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

#include "tools/report/figures/varint.hpp"
#include "tools/report/run_names.hpp"

namespace weft::tools {
namespace {

using page::Json;
using page::Page;

/// Times are whole numbers of cycles, or of a power of two of parts of one; else of a 2^40th of the time there is.
double quantum_of(const std::vector<TimelineRow>& rows, const std::vector<u32>& order, double origin, double last) {
  for (const double parts : {1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 1000.0, 1024.0}) {
    const auto whole = [&](double time) { return (time - origin) * parts == std::floor((time - origin) * parts); };
    if (std::ranges::all_of(order, [&](u32 ix) { return whole(rows[ix].begin) && whole(rows[ix].end); }))
      return 1 / parts;
  }
  constexpr double most_steps = 1ULL << 31;
  return std::max((last - origin) / most_steps, 1e-9);
}

template <class Steps>
void add_path(Page& page, Json& spec, const std::vector<PathStretch>& path, const Steps& steps) {
  std::vector<double> begin, end;
  std::vector<u32> from, task;
  for (const PathStretch& stretch : path) {
    begin.push_back(static_cast<double>(steps(stretch.begin)));
    end.push_back(static_cast<double>(steps(stretch.end)));
    from.push_back(stretch.from);
    task.push_back(stretch.task);
  }
  spec["path"] = {
      {"begin", page.block(begin)}, {"end", page.block(end)}, {"from", page.block(from)}, {"task", page.block(task)}};
}

}  // namespace

Json timeline_figure(Page& page, const std::vector<TimelineRow>& rows, const std::vector<std::string>& activities,
                     const std::vector<std::string>& tasks, const TimelineExtras& extras) {
  std::vector<u32> order;
  double origin = 0, last = 0;
  for (u32 ix = 0; ix < rows.size(); ++ix) {
    const TimelineRow& row = rows[ix];
    constexpr double most_cycles = 9e15;
    constexpr u64 most_number = 0xffffffff;
    const bool sound = row.activity < activities.size() && row.begin >= 0 && row.end >= row.begin &&
                       row.end < most_cycles && row.task <= most_number && row.lane <= most_number;
    if (!sound) continue;
    order.push_back(ix);
    origin = order.size() == 1 ? row.begin : std::min(origin, row.begin);
    last = std::max(last, row.end);
  }
  if (order.empty()) return nullptr;
  const auto key = [&](u32 ix) { return std::tuple(rows[ix].task, rows[ix].lane, rows[ix].begin, rows[ix].end); };
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::sort(order, {}, key);
  origin = std::floor(origin);
  const double quantum = quantum_of(rows, order, origin, last);
  const auto steps = [&](double time) { return static_cast<i64>(std::llround((time - origin) / quantum)); };

  std::vector<u32> task, lane, records, peer;
  std::vector<u8> small;
  std::vector<u16> large;
  Varints gaps, lengths;
  i64 end = 0;
  for (const u32 ix : order) {
    const TimelineRow& row = rows[ix];
    if (task.empty() || task.back() != row.task || lane.back() != row.lane) {
      task.push_back(static_cast<u32>(row.task));
      lane.push_back(static_cast<u32>(row.lane));
      records.push_back(0);
      end = 0;
    }
    ++records.back();
    if (!extras.peers.empty()) peer.push_back(extras.peers[ix]);
    const i64 begin = steps(row.begin);
    gaps.add_signed(begin - end);
    end = std::max(begin, steps(row.end));
    lengths.add(static_cast<u64>(end - begin));
    if (activities.size() <= 256)
      small.push_back(static_cast<u8>(row.activity));
    else
      large.push_back(static_cast<u16>(row.activity));
  }
  Json spec = {{"kind", "timeline"}, {"wide", true}, {"quantum", quantum}, {"origin", origin}, {"steps", steps(last)}};
  spec["activities"] = Json::array();
  for (const std::string& name : activities) spec["activities"].push_back({{"name", name}});
  if (!tasks.empty()) spec["tasks"] = tasks;
  spec["blocks"] = {{"task", page.block(task)},
                    {"lane", page.block(lane)},
                    {"records", page.block(records)},
                    {"gap", page.block(gaps.bytes)},
                    {"length", page.block(lengths.bytes)},
                    {"activity", activities.size() <= 256 ? page.block(small) : page.block(large)}};
  if (!peer.empty()) spec["blocks"]["peer"] = page.block(peer);
  if (!extras.path.empty()) add_path(page, spec, extras.path, steps);
  return spec;
}

Json timeline_figure(Page& page, const RunResult& result) {
  std::vector<std::string> activities, tasks;
  const bool jobs = result.jobs.size() > 1;
  for (const ActivityRow& row : result.activities)
    activities.push_back(jobs && row.job < result.jobs.size() ? result.jobs[row.job].name + ": " + row.name : row.name);
  constexpr u64 most_names = 100'000;
  for (const JobRow& job : result.jobs) {
    for (u64 t = 0; jobs && t < job.tasks && tasks.size() < most_names; ++t)
      tasks.push_back(fmt::format("{} {}", job.name, t));
  }
  Json spec = timeline_figure(page, result.timeline, activities, tasks);
  if (!spec.is_null()) spec["clock"] = clock_of(page, result);
  return spec;
}

}  // namespace weft::tools
