// Asks the routing of a plain router, and finds the usual one of a topology.
#include "models/routing/routes.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/bits.hpp"
#include "engine/base/error.hpp"
#include "models/routing/routing_of.hpp"

namespace weft::models {

bool has_routes(const RouterKind& kind) {
  // Switches may have a routing of their own, which no others can take.
  return kind.machine.empty() && kind.routing &&
         (kind.modes.empty() || !std::ranges::all_of(kind.modes, &RouterMode::keeps_bubbles));
}

std::string default_mode(const RouterKind& kind) {
  const auto usual = std::ranges::find_if(
      kind.modes, [](const RouterMode& mode) { return !mode.keeps_bubbles && !mode.by_occupancy; });
  return usual == kind.modes.end() ? "" : usual->name;
}

std::string default_routes(const std::string& topology) {
  const TopologyKind* const kind = TopologyRegistry::instance().find(topology);
  if (kind == nullptr) return "dally";
  if (has_routes(router_kind(kind->router))) return kind->router;
  for (const std::string& name : RouterRegistry::instance().names()) {
    const RouterKind& other = router_kind(name);
    if (has_routes(other) && other.families.front() != any_family && fits_family(other, kind->family)) return name;
  }
  return "forwarding-table";
}

std::unique_ptr<Routing> make_routing(const Topology& topology, const RouterSettings& settings,
                                      const std::string& mode) {
  if (const RouterKind& own = router_kind(settings.kind); !own.machine.empty() && own.routing)
    return routing_of(own, topology, settings);
  RouterSettings plain = settings;
  plain.kind = settings.own.text("routing");
  const RouterKind& kind = router_kind(plain.kind);
  plain.mode = mode.empty() || mode == "auto" ? default_mode(kind) : mode;
  return routing_of(kind, topology, plain);
}

Routes::Routes(const Topology& topology, const RouterSettings& settings, const std::string& mode)
    : routing_(make_routing(topology, settings, mode)),
      decides_(routing_->decides()),
      words_(((topology.most_ports() + 1) * settings.virtual_channels + 63) / 64) {}

const Routes::Choices& Routes::ask(const QueuePlace& at, const PacketOnRoute& packet, const OpenPaths* paths) {
  choices_.outputs.clear();
  std::ranges::fill(words_, 0);
  Candidates candidates{OutputSet(words_.data(), static_cast<u32>(words_.size()))};
  Verdict verdict = routing_->route(at, packet, candidates);
  if (paths != nullptr) [[unlikely]] {
    if (verdict == Verdict::waits) verdict = paths->keep(at, packet, candidates);
    choices_.cut_off = verdict == Verdict::dropped;
  } else if (verdict == Verdict::dropped) {
    throw ConfigError(fmt::format("router.routing has no path from router {} to node {}; use other tables or routes",
                                  at.router, packet.to.value()));
  }
  choices_.arrived = verdict == Verdict::arrived;
  choices_.escape = candidates.escape;
  engine::for_bits(words_.data(), static_cast<u32>(words_.size()),
                   [&](u32 candidate) { choices_.outputs.push_back(candidate); });
  choices_.several = choices_.outputs.size() + (choices_.escape != Candidates::none ? 1 : 0) > 1;
  return choices_;
}

}  // namespace weft::models
