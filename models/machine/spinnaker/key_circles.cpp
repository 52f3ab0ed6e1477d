// Depth first from each source, over the links that its packets take.
#include "models/machine/spinnaker/key_circles.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/machine/spinnaker/directions.hpp"
#include "models/topology/lattice.hpp"

namespace weft::models::spinnaker {
namespace {

enum class Seen : u8 { no, on_the_way, done };

/// One source's packets; `seen` [router * links + port they came through] is left as it was.
class KeyWalk {
 public:
  KeyWalk(const Lattice& lattice, const KeyTables& tables)
      : lattice_(lattice), tables_(tables), seen_(std::size_t{lattice.routers()} * links, Seen::no) {}

  std::optional<Circle> from(u32 source) {
    const u32 key = tables_.key(source);
    std::optional<Circle> found;
    path_.push_back({place_of_source, source, outputs_to_links(tables_.find(source, key))});
    while (!path_.empty() && !found) {
      Step& step = path_.back();
      if (step.left == 0) {
        if (step.place != place_of_source) seen_[step.place] = Seen::done;
        path_.pop_back();
        continue;
      }
      const u32 port = static_cast<u32>(std::countr_zero(step.left));
      step.left &= static_cast<u8>(step.left - 1);
      const Peer far = lattice_.peer(RouterId(step.router), port);
      if (far.kind != Peer::Kind::router) continue;
      const u32 place = far.id * links + far.port;
      if (seen_[place] == Seen::on_the_way) found = Circle{source, far.id};
      if (seen_[place] != Seen::no) continue;
      seen_[place] = Seen::on_the_way;
      touched_.push_back(place);
      u8 outputs = tables_.find(far.id, key);
      if (outputs == 0) outputs = static_cast<u8>(1U << opposite(far.port));
      path_.push_back({place, far.id, outputs_to_links(outputs)});
    }
    path_.clear();
    for (const u32 place : touched_) seen_[place] = Seen::no;
    touched_.clear();
    return found;
  }

 private:
  struct Step {
    u32 place, router;
    u8 left;  ///< links still to look at
  };
  static constexpr u32 place_of_source = ~u32{0};
  static u8 outputs_to_links(u8 outputs) { return static_cast<u8>(outputs & ((1U << links) - 1)); }

  const Lattice& lattice_;
  const KeyTables& tables_;
  std::vector<Seen> seen_;
  std::vector<Step> path_;
  std::vector<u32> touched_;
};

}  // namespace

KeyTables::KeyTables(KeyFile file, u32 routers)
    : keys_(std::move(file.keys)), first_(routers + 1, 0), entries_(std::move(file.entries)) {
  std::ranges::stable_sort(entries_, {}, &KeyEntry::router);
  for (const KeyEntry& entry : entries_) ++first_[entry.router + 1];
  for (u32 r = 0; r < routers; ++r) first_[r + 1] += first_[r];
}

u8 KeyTables::find(u32 router, u32 key) const {
  const KeyEntry *const from = begin(router), *const end = from + entries(router);
  const KeyEntry* const found = std::find_if(from, end, [&](const KeyEntry& entry) { return entry.matches(key); });
  return found == end ? u8{0} : found->outputs;
}

std::optional<Circle> find_circle(const Lattice& lattice, const KeyTables& tables) {
  KeyWalk walk(lattice, tables);
  for (u32 source = 0; source < lattice.nodes(); ++source)
    if (const std::optional<Circle> found = walk.from(source)) return found;
  return {};
}

}  // namespace weft::models::spinnaker
