// Starts and sizes of flows are drawn again where they arrived; see the header.
#include "tools/run/collect/flow_results.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/gathered.hpp"
#include "tools/run/collect/flow_alone.hpp"
#include "workloads/program/flow_program.hpp"

namespace weft::tools {
namespace {

using workloads::ProgramJob;

struct FlowFigures {
  u64 bytes = 0;
  double fct = 0, slowdown = 0;  ///< fct in cycles
};

/// The element below which a fraction of the sorted values lies; nearest rank.
double quantile(const std::vector<double>& sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

struct Quantiles {
  double mean = 0, p50 = 0, p95 = 0, p99 = 0, max = 0;
};
Quantiles quantiles_of(std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0;
  for (const double value : values) sum += value;
  return {sum / static_cast<double>(values.size()), quantile(values, 0.5), quantile(values, 0.95),
          quantile(values, 0.99), values.back()};
}

FlowRow row_of(u64 least, u64 most, const std::vector<FlowFigures>& flows) {
  FlowRow row{.least_bytes = least, .most_bytes = most, .flows = flows.size()};
  std::vector<double> fct, slowdown;
  for (const FlowFigures& flow : flows) {
    row.bytes += flow.bytes;
    fct.push_back(flow.fct);
    slowdown.push_back(flow.slowdown);
  }
  const Quantiles times = quantiles_of(std::move(fct)), slow = quantiles_of(std::move(slowdown));
  row.fct_mean = times.mean;
  row.fct_p50 = times.p50;
  row.fct_p95 = times.p95;
  row.fct_p99 = times.p99;
  row.fct_max = times.max;
  row.slowdown_mean = slow.mean;
  row.slowdown_p50 = slow.p50;
  row.slowdown_p95 = slow.p95;
  row.slowdown_p99 = slow.p99;
  row.slowdown_max = slow.max;
  return row;
}

/// All flows, and those of each decade from 10 kB to 10 MB.
std::vector<FlowRow> rows_of(const std::vector<FlowFigures>& flows) {
  std::vector<FlowRow> rows;
  const auto [least, most] = std::ranges::minmax(flows, {}, &FlowFigures::bytes);
  rows.push_back(row_of(least.bytes, most.bytes, flows));
  constexpr u64 bounds[] = {10'000, 100'000, 1'000'000, 10'000'000, ~u64{0}};
  u64 from = 1;
  for (const u64 to : bounds) {
    std::vector<FlowFigures> of_class;
    std::ranges::copy_if(flows, std::back_inserter(of_class),
                         [&](const FlowFigures& flow) { return flow.bytes >= from && flow.bytes <= to; });
    if (!of_class.empty()) rows.push_back(row_of(from, std::min(to, most.bytes), of_class));
    from = to + 1;
  }
  return rows;
}

/// Which of the jobs a task is of.
const ProgramJob* job_of(const std::vector<ProgramJob>& jobs, u32 task, std::size_t& number) {
  for (number = 0; number < jobs.size(); ++number) {
    if (task - jobs[number].first_task < jobs[number].tasks) return &jobs[number];
  }
  return nullptr;
}

}  // namespace

void collect_flows(Context& context, const std::vector<ProgramJob>& jobs, const workloads::Placement& placement,
                   const std::vector<Tick>& begins, std::vector<std::pair<u32, workloads::ArrivedMessage>> mine) {
  if (std::ranges::none_of(jobs, &ProgramJob::records_arrivals)) return;
  std::ranges::sort(mine, {}, [](const auto& m) { return std::pair(m.second.source, m.second.number); });
  FlowAlone alone(context, placement);
  std::vector<FlowFigures> figures;
  std::unique_ptr<workloads::FlowStream> stream;
  workloads::Flow flow;
  u32 source = ~u32{0}, next = 0;
  std::size_t number = 0;
  const ProgramJob* job = nullptr;
  bool more = false;
  for (const auto& [task, message] : mine) {
    if (message.source != source) {
      source = message.source;
      job = job_of(jobs, source, number);
      stream = static_cast<const workloads::FlowProgram*>(job->program)->flows(TaskId(source - job->first_task));
      next = 0;
    }
    for (more = next <= message.number; more && next <= message.number; ++next) more = stream->next(flow);
    if (!more) continue;  // of a later round of a job that repeats
    const Tick start = begins[number] + static_cast<Tick>(flow.start_cycle) * context.router.cycle_ticks;
    const double fct = static_cast<double>(message.at) - static_cast<double>(start);
    figures.push_back({flow.bytes, fct / static_cast<double>(context.router.cycle_ticks),
                       fct / alone.ticks(*job, start, source, task, flow.bytes)});
  }
  std::vector<FlowFigures> all = engine::gathered(context.transport, figures);
  if (context.transport.rank() != 0 || all.empty()) return;
  // Sums are those of sorted values.
  std::ranges::sort(all, {}, [](const FlowFigures& f) { return std::tuple(f.bytes, f.fct, f.slowdown); });
  context.result.flows = rows_of(all);
}

}  // namespace weft::tools
