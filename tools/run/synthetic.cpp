// Sources from the config, and what is measured of them.
#include "tools/run/synthetic.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/stop_look.hpp"
#include "tools/run/compiled_loops.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/run_loop.hpp"
#include "tools/run/setup/split.hpp"
#include "workloads/program/host/synthetic_host.hpp"
#include "workloads/traffic/pattern/placed.hpp"
#include "workloads/traffic/pattern/working_nodes.hpp"

namespace weft::tools {

namespace {

/// Calls f(node) for this rank's share of the nodes, which has nothing to do with where they are simulated.
template <class F>
void for_nodes_of_rank(const Context& context, F&& f) {
  for (u32 node = context.transport.rank(); node < context.topology->nodes(); node += context.transport.size()) f(node);
}

/// Nodes that send anything, on all ranks.
u64 sources_of(const Context& context, const workloads::Pattern& pattern) {
  u64 sources = 0;
  for_nodes_of_rank(context, [&](u32 node) {
    engine::look_for_stop(node / context.transport.size());
    sources += pattern.sends(NodeId(node)) ? 1U : 0U;
  });
  context.transport.sum({&sources, 1});
  return sources;
}

}  // namespace

std::unique_ptr<workloads::Pattern> make_run_pattern(const Context& context) {
  const Config& config = context.config;
  std::unique_ptr<workloads::Pattern> pattern =
      workloads::make_pattern(config.text("workload.pattern"), pattern_spec(context));
  if (config.text("placement.policy") != "consecutive")
    pattern = std::make_unique<workloads::Placed>(std::move(pattern), fill_order(context));
  if (!context.router.faults) return pattern;
  std::vector<bool> works(context.topology->nodes());
  for (u32 n = 0; n < works.size(); ++n) works[n] = context.topology->works(NodeId(n));
  return std::make_unique<workloads::WorkingNodes>(std::move(pattern), std::move(works));
}

void run_synthetic(Context& context) {
  const Config& config = context.config;
  const std::string name = config.text("workload.pattern");
  const bool uniform = name == "uniform";  // the same on any places
  workloads::SyntheticSpec spec;
  spec.nodes = context.topology->nodes();
  spec.seed = context.router.seed;
  const workloads::SourceRules rules = source_rules(config);
  spec.queue = rules.queue;
  spec.bursts = rules.bursts != 0;
  spec.burst_packets = rules.burst_packets;
  spec.reactions = rules.reactions;
  const double load = rules.offered_load;
  spec.cells = packet_lengths(config);
  spec.packets_per_cycle = rules.packets_per_cycle(spec.cells.mean());
  std::unique_ptr<workloads::Pattern> pattern = make_run_pattern(context);
  if (load > 0) context.sources = sources_of(context, *pattern);
  workloads::SyntheticHost host(spec, std::move(pattern), uniform, arrivals(config, spec.packets_per_cycle, spec.seed));
  if (spec.queue == workloads::SourceQueue::unbounded) {
    context.generated_before = [&context, &host](Tick end) {
      u64 packets = 0;
      for_nodes_of_rank(context,
                        [&](u32 node) { packets += host.generated_before(node, end, context.router.cycle_ticks); });
      return packets;
    };
  }
  context.result.unbounded_sources = spec.queue == workloads::SourceQueue::unbounded;
  models::Layout layout = lay_out(context);
  const auto simulation = make_simulation(context, layout, host);
  RunLoop loop(context, *simulation, layout);
  context.result.load_offered = load;
  context.result.workload_name = name + (spec.bursts ? " bursts" : " traffic");
  if (load > 0 && context.sources < spec.nodes)
    context.result.workload_name += fmt::format(", {} of {} nodes send", context.sources, spec.nodes);
  loop.resume_or_start();
  loop.begin();
  if (spec.bursts) {
    loop.run_bursts(rules.bursts);
    loop.finish("workload-complete", loop.completion_cycles());
  } else if (context.stop == "cycles") {
    loop.run_to(context.stop_cycles);
    loop.finish("cycles", context.stop_cycles);
  } else {
    WEFT_ASSERT(context.stop == "steady-state");
    loop.measure_steady_state();
    loop.finish("steady-state", loop.now_cycles());
  }
}

}  // namespace weft::tools
