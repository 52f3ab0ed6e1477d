// Which event loops are compiled into the program: each file of tools/run/loops adds its own, for a kind of router
// and a host, and a run takes the one that fits.
#pragma once

#include <fmt/format.h>
#include <memory>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/registry.hpp"
#include "models/core/layout.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/context.hpp"
#include "tools/run/network_simulation.hpp"

namespace weft::tools {

/// In place of a kind: a loop that serves whatever router has none of its own.
inline constexpr const char* any_router = "";

/// Makes simulations with hosts of one type: workloads::SyntheticHost or workloads::ProgramHost.
template <class Host>
struct CompiledLoop {
  std::string router;            ///< the kind that it is for (`weft describe routers`), or any_router
  bool (*fits)(const Context&);  ///< whether it can run this network with these settings; null: always
  std::unique_ptr<Simulation> (*make)(const SimulationParts&, Host&);
};

/// By name, which is for messages only. No two of one kind of router may fit the same run.
template <class Host>
using CompiledLoops = Registry<CompiledLoop<Host>>;

/// Adds the loop of a network model, its host included (models::Network<Policy, Host>, or a machine of its own); true,
/// so that it can initialise a file-scope constant. This is what compiles it.
template <SimulatedNetwork Net>
bool add_loop(const std::string& name, const std::string& router, bool (*fits)(const Context&)) {
  using Host = typename Net::HostType;
  const auto make = [](const SimulationParts& parts, Host& host) -> std::unique_ptr<Simulation> {
    return std::make_unique<NetworkSimulation<Net>>(parts, host);
  };
  return CompiledLoops<Host>::instance().add(name, {router, fits, make});
}

/// The loop for routers of `kind` that fits the run, or else the one for any router that does. Throws Bug if there is
/// none, or more than one.
template <class Host>
[[nodiscard]] const CompiledLoop<Host>& find_loop(const Context& context, const std::string& kind) {
  for (const std::string& router : {kind, std::string(any_router)}) {
    std::string found;
    const CompiledLoop<Host>* fitting = nullptr;
    for (const std::string& name : CompiledLoops<Host>::instance().names()) {
      const CompiledLoop<Host>* loop = CompiledLoops<Host>::instance().find(name);
      if (loop->router != router || (loop->fits != nullptr && !loop->fits(context))) continue;
      if (fitting != nullptr) throw Bug(fmt::format("two event loops fit this run: \"{}\" and \"{}\"", found, name));
      fitting = loop;
      found = name;
    }
    if (fitting != nullptr) return *fitting;
  }
  throw Bug(
      fmt::format("no event loop is compiled for routers of kind \"{}\" in a {} with this workload; a file of "
                  "tools/run/loops must add one",
                  kind, context.topology->name()));
}

/// What the kernel of this process is told: lookahead, protocol, how far ahead it plans.
[[nodiscard]] engine::KernelSpec kernel_spec(const Context& context, const models::Layout& layout);
/// The parts of this process's simulation. `layout` must outlive it.
[[nodiscard]] SimulationParts simulation_parts(const Context& context, models::Layout& layout);

/// The simulation of this process, by the loop that fits the router of the run.
template <class Host>
[[nodiscard]] std::unique_ptr<Simulation> make_simulation(const Context& context, models::Layout& layout, Host& host) {
  const std::string machine = models::machine_of(resolved_router_kind(context.config));
  return find_loop<Host>(context, machine).make(simulation_parts(context, layout), host);
}

}  // namespace weft::tools
