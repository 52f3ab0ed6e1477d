// Sources from the config, and what is measured of them.
#include "tools/simulate/synthetic.hpp"

#include "tools/simulate/compiled_loops.hpp"
#include "tools/simulate/run_loop.hpp"
#include "tools/simulate/split.hpp"
#include "workloads/pattern/working_nodes.hpp"
#include "workloads/synthetic_host.hpp"

namespace weft::tools {

namespace {

/// The pattern of the run; failed nodes send nothing.
std::unique_ptr<workloads::Pattern> pattern_of_run(const Context& context, const std::string& name) {
  auto pattern = workloads::make_pattern(name, pattern_spec(context));
  if (!context.router.faults) return pattern;
  std::vector<bool> works(context.topology->nodes());
  for (u32 n = 0; n < works.size(); ++n) works[n] = context.topology->works(NodeId(n));
  return std::make_unique<workloads::WorkingNodes>(std::move(pattern), std::move(works));
}

}  // namespace

void run_synthetic(Context& context) {
  const Config& config = context.config;
  const std::string name = config.text("workload.pattern");
  workloads::SyntheticSpec spec;
  spec.nodes = context.topology->nodes();
  spec.seed = context.router.seed;
  spec.bursts = config.text("workload.kind") == "burst";
  spec.burst_packets = static_cast<u32>(config.integer("workload.burst_packets"));
  const double load = spec.bursts ? 0 : config.real("workload.offered_load");
  spec.cells = packet_cells(config);
  spec.packets_per_cycle = load / spec.cells.mean();
  workloads::SyntheticHost host(spec, pattern_of_run(context, name), name == "uniform");
  models::Layout layout = lay_out(context);
  const auto simulation = make_simulation(context, layout, host);
  RunLoop loop(context, *simulation, layout);
  context.result.load_offered = load;
  context.result.workload_name = name + (spec.bursts ? " bursts" : " traffic");
  loop.resume_or_start();
  loop.begin();
  if (spec.bursts) {
    loop.run_bursts(static_cast<u64>(config.integer("workload.bursts")));
    loop.finish("workload-complete", loop.completion_cycles());
  } else if (context.stop == "cycles") {
    loop.run_to(context.stop_cycles);
    loop.finish("cycles", context.stop_cycles);
  } else {
    loop.measure_steady_state();
    loop.finish("steady-state", loop.now_cycles());
  }
}

}  // namespace weft::tools
