// Draws without replacement, and the reader of lists.
#include "models/machine/spinnaker/targets.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/text_line.hpp"
#include "engine/random.hpp"

namespace weft::models::spinnaker {
namespace {

constexpr LineForm target_lines{.separators = " \t\r"};

u32 node_on(const TextLine& line, std::size_t word, u32 nodes) {
  const std::optional<u32> value = parsed<u32>(line.word(word));
  if (!value) {
    line.fail(fmt::format("line holds \"{}\" (not the number of a node); correct it or put # before comments",
                          shown(line.word(word), 24)));
  }
  if (*value >= nodes) {
    line.fail(fmt::format("line names node {} (the network has {}, from 0); correct it", *value, nodes));
  }
  return *value;
}

/// Lines "source target target ...".
void read_targets(std::string_view text, const std::string& name, std::vector<std::vector<u32>>& listed) {
  const u32 nodes = static_cast<u32>(listed.size());
  std::vector<u64> line_of(nodes, 0);  // [source]
  const auto read = [&](const TextLine& line) {
    if (line.words() == 0) return;
    std::vector<u32> numbers;
    for (std::size_t word = 0; word < line.words(); ++word) numbers.push_back(node_on(line, word, nodes));
    const u32 source = numbers.front();
    if (line_of[source] != 0) {
      line.fail(fmt::format("line has source {} again (it was in line {}); write all its targets into one line", source,
                            line_of[source]));
    }
    line_of[source] = line.number();
    std::vector<u32>& targets = listed[source];
    targets.assign(numbers.begin() + 1, numbers.end());
    std::ranges::sort(targets);
    if (const auto twice = std::ranges::adjacent_find(targets); twice != targets.end())
      line.fail(fmt::format("line names target {} twice; remove one", *twice));
  };
  for_each_text_line(text, name, read, target_lines);
}

}  // namespace

Targets::Targets(const Topology& topology, const RouterSettings& settings)
    : seed_(settings.seed),
      nodes_(topology.nodes()),
      count_(static_cast<u32>(settings.own.integer("multicast_targets"))),
      radius_(static_cast<u32>(settings.own.integer("multicast_radius"))),
      works_(nodes_),
      dims_(topology.grid()) {
  for (u32 n = 0; n < nodes_; ++n) {
    works_[n] = topology.works(NodeId(n));
    if (works_[n]) working_.push_back(n);
  }
  if (const std::string path = settings.own.text("multicast_file"); !path.empty()) {
    listed_.resize(nodes_);
    read(path);
  } else if (radius_ > 0) {
    find_neighbourhood(topology.whole(), radius_);
  }
}

void Targets::read(const std::string& path) {
  constexpr u64 most_bytes = u64{1} << 31;
  const std::string text = read_text_file<InputError>(path, most_bytes, "multicast targets");
  read_targets(text, path, listed_);
}

void Targets::find_neighbourhood(const Topology& topology, u32 radius) {
  std::vector<bool> seen(nodes_);
  std::vector<u32> ring{0}, next;
  seen[0] = true;
  for (u32 hops = 0; hops < radius && !ring.empty(); ++hops) {
    next.clear();
    for (const u32 at : ring) {
      for (u32 p = 0; p < topology.ports(RouterId(at)); ++p) {
        const Peer far = topology.peer(RouterId(at), p);
        if (far.kind != Peer::Kind::router || seen[far.id]) continue;
        seen[far.id] = true;
        next.push_back(far.id);
      }
    }
    neighbourhood_.insert(neighbourhood_.end(), next.begin(), next.end());
    std::swap(ring, next);
  }
}

/// Working nodes near a source, which the network looks alike from: those of node 0, moved.
std::vector<u32> Targets::candidates(u32 source) const {
  std::vector<u32> found;
  for (const u32 offset : neighbourhood_) {
    const u32 x = (source % dims_[0] + offset % dims_[0]) % dims_[0];
    const u32 y = (source / dims_[0] + offset / dims_[0]) % dims_[1];
    const u32 moved = y * dims_[0] + x;
    if (works_[moved]) found.push_back(moved);
  }
  return found;
}

void Targets::of(u32 source, std::vector<u32>& targets) const {
  targets.clear();
  if (!works_[source]) return;
  if (!listed_.empty()) {
    targets = listed_[source];
    return;
  }
  const std::vector<u32> near = radius_ > 0 ? candidates(source) : std::vector<u32>{};
  const u32 all = radius_ > 0 ? static_cast<u32>(near.size()) : static_cast<u32>(working_.size()) - 1;
  if (count_ > all) {
    throw ConfigError(fmt::format(
        "router.multicast_targets = {} is more than the {} working nodes {}node {}; use {} or less", count_, all,
        radius_ > 0 ? fmt::format("within router.multicast_radius = {} of ", radius_) : "besides ", source, all));
  }
  const auto self = static_cast<u32>(std::ranges::lower_bound(working_, source) - working_.begin());
  // Floyd's algorithm: each set has the same chance.
  std::vector<u32> drawn;
  for (u32 top = all - count_; top < all; ++top) {
    const u32 target = engine::scale_to(engine::random_bits(seed_, source, top, engine::Use::targets), top + 1);
    drawn.push_back(std::ranges::find(drawn, target) == drawn.end() ? target : top);
  }
  for (const u32 target : drawn)
    targets.push_back(radius_ > 0 ? near[target] : working_[target + (target >= self ? 1U : 0U)]);
  std::ranges::sort(targets);
}

}  // namespace weft::models::spinnaker
