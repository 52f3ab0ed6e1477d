// Every process walks through all trees, counts the entries of all routers, and keeps those of its own.
#include "models/machine/spinnaker/multicast_tables.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/spinnaker/key_circles.hpp"
#include "models/topology/lattice.hpp"

namespace weft::models::spinnaker {

MulticastTree::MulticastTree(const Lattice& lattice) : lattice_(lattice), place_(lattice.routers(), 0) {}

void MulticastTree::build(u32 source, const std::vector<u32>& targets) {
  for (const Stop& stop : stops_) place_[stop.router] = 0;
  stops_.clear();
  if (targets.empty()) return;
  stops_.push_back({source});
  place_[source] = 1;
  for (const u32 target : targets) add(target);
}

void MulticastTree::add(u32 target) {
  const u32 source = stops_.front().router;
  Lattice::Record hops = lattice_.record(NodeId(source), NodeId(target), 0);
  route_.clear();
  u32 at = source;
  std::size_t joined = 0;  // the last router on the way that is in the tree already
  for (u32 d = 0; d < lattice_.dimensions(); ++d) {
    const u8 port = static_cast<u8>(2 * d + (hops[d] < 0 ? 1 : 0));
    for (; hops[d] != 0; hops[d] += hops[d] < 0 ? 1 : -1) {
      if (place_[at] != 0) joined = route_.size();
      route_.emplace_back(at, port);
      at = lattice_.peer(RouterId(at), port).id;
    }
  }
  if (place_[at] != 0) joined = route_.size();
  route_.emplace_back(target, static_cast<u8>(local));
  for (std::size_t i = joined; i < route_.size(); ++i) {
    const auto [router, port] = route_[i];
    if (place_[router] == 0) {
      stops_.push_back({router, route_[i - 1].second, 0});
      place_[router] = static_cast<u32>(stops_.size());
    }
    stops_[place_[router] - 1].outputs |= static_cast<u8>(1U << port);
  }
}

namespace {

/// Throws ConfigError if a router needs more entries than it has; `needed` [router], `advice`: what else helps.
void check_entries(const std::vector<u32>& needed, const RouterSettings& settings, const std::string& advice) {
  const u32 capacity = static_cast<u32>(settings.own.integer("table_entries"));
  const auto most = std::ranges::max_element(needed);
  if (*most <= capacity) return;
  const auto over = std::ranges::count_if(needed, [&](u32 entries) { return entries > capacity; });
  throw ConfigError(
      fmt::format("router.table_entries = {} is too few for the multicast tables of {} router{} (router "
                  "{} needs most, {}); use {}, {}",
                  capacity, over, over == 1 ? "" : "s", most - needed.begin(), *most, *most, advice));
}

}  // namespace

MulticastTables::MulticastTables(const Topology& topology, const RouterSettings& settings, const Layout& layout) {
  first_.assign(layout.entities() + 1, 0);
  if (settings.own.text("table_file").empty()) {
    draw(topology, settings, layout);
  } else {
    read(topology, settings, layout);
  }
  for (u32 e = 0; e < layout.entities(); ++e) first_[e + 1] += first_[e];
}

void MulticastTables::draw(const Topology& topology, const RouterSettings& settings, const Layout& layout) {
  struct Entry {
    u32 entity, source;
    u8 outputs;
  };
  const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole());
  WEFT_ASSERT(lattice != nullptr);
  const Targets targets(topology, settings);
  MulticastTree tree(*lattice);
  std::vector<u32> of_source, needed(topology.routers(), 0);
  std::vector<Entry> mine;
  for (u32 source = 0; source < topology.nodes(); ++source) {
    targets.of(source, of_source);
    tree.build(source, of_source);
    for (const MulticastTree::Stop& stop : tree.stops()) {
      if (!stop.needs_entry()) continue;
      ++needed[stop.router];
      const u32 entity = layout.entity_of_global(stop.router);
      if (entity != Layout::none) mine.push_back({entity, source, stop.outputs});
    }
  }
  check_entries(needed, settings, "fewer router.multicast_targets or a smaller router.multicast_radius");
  // Sources came in their order: sorted by router, they stay in it.
  std::ranges::stable_sort(mine, {}, &Entry::entity);
  for (const Entry& entry : mine) {
    ++first_[entry.entity + 1];
    sources_.push_back(entry.source);
    outputs_.push_back(entry.outputs);
  }
}

void MulticastTables::read(const Topology& topology, const RouterSettings& settings, const Layout& layout) {
  const auto* const lattice = dynamic_cast<const Lattice*>(&topology.whole());
  WEFT_ASSERT(lattice != nullptr);
  const std::string path = settings.own.text("table_file");
  const KeyTables tables(read_key_file(path, topology.nodes()), topology.routers());
  std::vector<u32> needed(topology.routers(), 0);
  for (u32 router = 0; router < topology.routers(); ++router) needed[router] = tables.entries(router);
  check_entries(needed, settings, "or write entries with masks that serve several keys");
  if (const std::optional<Circle> circle = find_circle(*lattice, tables)) {
    throw ConfigError(
        fmt::format("{}: packets of node {} (key {:#010x}) come by router {} again and again (by entries, "
                    "or straight on where no entry matches); add an entry that ends their way",
                    path, circle->source, tables.key(circle->source), circle->router));
  }
  keys_ = tables.keys();
  for (u32 entity = 0; entity < layout.entities(); ++entity) {
    const u32 router = layout.router(entity).value();
    first_[entity + 1] = tables.entries(router);
    by_key_.insert(by_key_.end(), tables.begin(router), tables.begin(router) + tables.entries(router));
  }
}

u8 MulticastTables::find(u32 entity, u32 source) const {
  if (!keys_.empty()) {
    for (u32 k = first_[entity]; k < first_[entity + 1]; ++k)
      if (by_key_[k].matches(keys_[source])) return by_key_[k].outputs;
    return 0;
  }
  const auto begin = sources_.begin() + first_[entity], end = sources_.begin() + first_[entity + 1];
  const auto found = std::lower_bound(begin, end, source);
  return found == end || *found != source ? u8{0} : outputs_[static_cast<std::size_t>(found - sources_.begin())];
}

}  // namespace weft::models::spinnaker
