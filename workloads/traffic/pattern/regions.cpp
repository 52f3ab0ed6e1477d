// Pattern "regions": parts of the traffic go to regions of the machine, the rest anywhere.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "workloads/traffic/pattern/pattern.hpp"
#include "workloads/traffic/pattern/shares.hpp"

namespace weft::workloads {
namespace {

struct HotNodes {
  u32 first = 0, count = 0;
  double fraction = 0;
};

[[noreturn]] void fail_region(const std::string& why, const std::string& advice) {
  throw ConfigError(fmt::format("workload.regions {}; {}", why, advice));
}

template <class Number>
Number number_of_region(std::string_view& text, const std::string& region) {
  const std::optional<Number> value = take_number<Number>(text);
  if (!value) {
    fail_region(fmt::format("has \"{}\" (wanted first:nodes:fraction)", shown(region, 40)),
                "write for example regions = \"0:8:0.25, 32:4:0.1\"");
  }
  return *value;
}

void colon_of_region(std::string_view& text, const std::string& region) {
  if (!text.starts_with(':')) text = {};
  if (text.empty()) static_cast<void>(number_of_region<u32>(text, region));  // fails
  text.remove_prefix(1);
}

std::vector<HotNodes> regions_of(const PatternSpec& spec) {
  std::vector<HotNodes> regions;
  double sum = 0;
  for (const std::string& word : listed_words(spec.keys.text("regions"))) {
    std::string_view text = word;
    HotNodes region;
    region.first = number_of_region<u32>(text, word);
    colon_of_region(text, word);
    region.count = number_of_region<u32>(text, word);
    colon_of_region(text, word);
    region.fraction = number_of_region<double>(text, word);
    if (!text.empty()) {
      fail_region(fmt::format("has \"{}\" (wanted first:nodes:fraction, no more)", shown(word, 40)),
                  "put commas between regions");
    }
    if (region.count == 0 || u64{region.first} + region.count > spec.nodes) {
      fail_region(fmt::format("has {} nodes from {} on (the network has nodes 0 to {})", region.count, region.first,
                              spec.nodes - 1),
                  fmt::format("use for example \"0:{}:0.25\"", std::max<u32>(1, spec.nodes / 8)));
    }
    if (!(region.fraction >= 0 && region.fraction <= 1))
      fail_region(fmt::format("has a fraction of {} (it is one of the packets)", region.fraction), "use 0 to 1");
    sum += region.fraction;
    regions.push_back(region);
  }
  if (regions.empty()) {
    fail_region("is not given (pattern = \"regions\" needs it)",
                fmt::format("add for example regions = \"0:{}:0.25\"", std::max<u32>(1, spec.nodes / 8)));
  }
  constexpr double rounding = 1e-9;
  if (sum > 1 + rounding)
    fail_region(fmt::format("take {} of the packets in all", sum), "make fractions add up to 1 or less");
  return regions;
}

class Regions final : public Pattern {
 public:
  explicit Regions(const PatternSpec& spec) : nodes_(spec.nodes), regions_(regions_of(spec)) {
    std::vector<double> weights;
    double rest = 1;
    for (const HotNodes& region : regions_) {
      weights.push_back(region.fraction);
      rest -= region.fraction;
    }
    constexpr double rounding = 1e-9;
    weights.push_back(rest > rounding ? rest : 0.0);
    shares_ = shares_of(weights);
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    const u32 from = source.value();
    const std::size_t chosen = share_of(shares_, engine::remix(packet.bits, draw_of_share));
    if (chosen >= regions_.size()) return NodeId(uniform_destination(from, nodes_, packet.bits));
    const HotNodes& region = regions_[chosen];
    if (from < region.first || from >= region.first + region.count)
      return NodeId(region.first + engine::scale_to(packet.bits, region.count));
    // The only node of a region has no other to send to there: its traffic is uniform.
    if (region.count == 1) return NodeId(uniform_destination(from, nodes_, packet.bits));
    return NodeId(region.first + uniform_destination(from - region.first, region.count, packet.bits));
  }
  bool sends(NodeId) const override { return true; }

 private:
  u32 nodes_;
  std::vector<HotNodes> regions_;
  std::vector<u64> shares_;  ///< of each region, and of the rest
};

[[maybe_unused]] const bool regions_registered = PatternRegistry::instance().add(
    "regions",
    {.help = "fractions of the packets to regions of the nodes, workload.regions, the rest uniform",
     .make = [](const PatternSpec& spec) { return std::make_unique<Regions>(spec); },
     .settings = {row::text("workload.regions", std::nullopt,
                            "first:nodes:fraction of each region, with commas between them: \"0:8:0.25, 32:4:0.1\" "
                            "sends a quarter of the packets to nodes 0 to 7 and a tenth to nodes 32 to 35.")}});

}  // namespace
}  // namespace weft::workloads
