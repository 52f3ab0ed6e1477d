// Omega, delta, butterfly and baseline networks: n stages of k x k switches between terminals, all links one way.
#include "models/topology/kind/unidirectional_min.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/meaning.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

enum class MinWiring : u8 { omega, delta, butterfly, baseline };
constexpr u64 most_min_nodes = u64{1} << 24;

/// Permutations of lines by their digits d_{n-1} ... d_0, base k. Shuffle: digits move up, the highest becomes d_0.
class MinLines {
 public:
  MinLines(u32 radix, u32 stages, MinWiring wiring) : radix_(radix), stages_(stages), wiring_(wiring) {
    powers_.push_back(1);
    for (u32 d = 0; d < stages; ++d) powers_.push_back(powers_.back() * radix);
  }
  [[nodiscard]] u32 count() const { return powers_[stages_]; }
  [[nodiscard]] u32 digit(u32 line, u32 d) const { return line / powers_[d] % radix_; }
  /// Line before stage i of what left through a line of the stage before; of a node before the first.
  [[nodiscard]] u32 into(u32 stage, u32 line) const {
    switch (wiring_) {
      case MinWiring::omega:
        return shuffled(line);
      case MinWiring::delta:
        return stage == 0 ? line : shuffled(line);
      case MinWiring::butterfly:
        return stage == 0 ? line : exchanged(line, stages_ - stage);
      case MinWiring::baseline:
        return stage == 0 ? line : unshuffled(line, stages_ - stage + 1);
    }
    return line;
  }
  /// The line or node from which `into` leads to a line.
  [[nodiscard]] u32 back_from(u32 stage, u32 line) const {
    switch (wiring_) {
      case MinWiring::omega:
        return unshuffled(line, stages_);
      case MinWiring::delta:
        return stage == 0 ? line : unshuffled(line, stages_);
      case MinWiring::butterfly:
        return stage == 0 ? line : exchanged(line, stages_ - stage);
      case MinWiring::baseline:
        return stage == 0 ? line : low_shuffled(line, stages_ - stage + 1);
    }
    return line;
  }

 private:
  [[nodiscard]] u32 shuffled(u32 line) const { return low_shuffled(line, stages_); }
  [[nodiscard]] u32 low_shuffled(u32 line, u32 digits) const {
    const u32 low = line % powers_[digits];
    return line - low + low * radix_ % powers_[digits] + low / powers_[digits - 1];
  }
  /// The lowest digits move down, d_0 becomes the highest of them.
  [[nodiscard]] u32 unshuffled(u32 line, u32 digits) const {
    const u32 low = line % powers_[digits];
    return line - low + low / radix_ + low % radix_ * powers_[digits - 1];
  }
  [[nodiscard]] u32 exchanged(u32 line, u32 d) const {
    const u32 first = line % radix_, other = digit(line, d);
    return line - first - other * powers_[d] + other + first * powers_[d];
  }

  u32 radix_, stages_;
  MinWiring wiring_;
  std::vector<u32> powers_;  ///< of k, [digit]
};

/// Larger than others: it answers all questions of a topology.
class Min final : public UnidirectionalMin {
 public:
  Min(u32 radix, u32 stages, MinWiring wiring, std::string wiring_name)
      : radix_(radix), stages_(stages), lines_(radix, stages, wiring), wiring_name_(std::move(wiring_name)) {}

  u32 radix() const override { return radix_; }
  u32 stages() const override { return stages_; }
  u32 stage(RouterId router) const override { return std::min(router.value() / stage_switches(), stages_); }
  u32 digit(NodeId node, u32 d) const override { return lines_.digit(node.value(), d); }

  u32 nodes() const override { return lines_.count(); }
  u32 routers() const override { return switches() + nodes(); }
  u32 kinds() const override { return 2; }
  u32 kind(RouterId router) const override { return is_terminal(router) ? 1 : 0; }
  u32 ports(RouterId router) const override { return kind_ports(kind(router)); }
  u32 kind_ports(u32 kind) const override { return kind == 1 ? 3 : 2 * radix_; }
  u64 kind_routers(u32 kind) const override { return kind == 1 ? nodes() : switches(); }
  bool direct() const override { return false; }
  bool one_way() const override { return true; }
  bool carries(RouterId router, u32 port) const override {
    return is_terminal(router) ? port != terminal_in : port < radix_;
  }
  RouterId router_of(NodeId node) const override { return terminal(node.value()); }
  u32 port_of(NodeId) const override { return 0; }

  Peer peer(RouterId router, u32 port) const override {
    WEFT_ASSERT(router.value() < routers() && port < ports(router));
    if (is_terminal(router)) {
      const u32 node = router.value() - switches();
      if (port == 0) return {Peer::Kind::node, node, 0};
      return port == terminal_out ? input_of(0, lines_.into(0, node)) : output_of(stages_ - 1, node);
    }
    const u32 i = stage(router), first = router.value() % stage_switches() * radix_;
    if (port < radix_) {
      const u32 line = first + port;
      if (i + 1 == stages_) return {Peer::Kind::router, terminal(line).value(), terminal_in};
      return input_of(i + 1, lines_.into(i + 1, line));
    }
    const u32 from = lines_.back_from(i, first + port - radix_);
    if (i == 0) return {Peer::Kind::router, terminal(from).value(), terminal_out};
    return output_of(i - 1, from);
  }

  /// All stages, the links of the terminals and those of the nodes.
  u32 distance(NodeId from, NodeId to) const override { return from == to ? 0 : diameter(); }
  u32 diameter() const override { return stages_ + 3; }
  double mean_distance() const override { return diameter(); }
  /// Each link is on the routes of N pairs of nodes, some of them of a node with itself: the link with the fewest of
  /// these carries most.
  double uniform_load_bound() const override {
    const double all = nodes();
    double bound = 1;
    std::vector<u32> own(nodes()), at(nodes());
    for (u32 node = 0; node < nodes(); ++node) at[node] = node;
    for (u32 i = 0; i < stages_; ++i) {
      std::ranges::fill(own, 0U);
      for (u32 node = 0; node < nodes(); ++node) {
        const u32 line = lines_.into(i, at[node]);
        at[node] = line / radix_ * radix_ + lines_.digit(node, stages_ - 1 - i);
        ++own[at[node]];
      }
      bound = std::min(bound, (all - 1) / (all - *std::ranges::min_element(own)));
    }
    return bound;
  }
  u64 router_links() const override { return u64{nodes()} * (stages_ + 1); }
  std::string name() const override { return fmt::format("{}-ary {}-stage {} network", radix_, stages_, wiring_name_); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"stages", std::to_string(stages_)},
            {"switches", fmt::format("{} of {} x {} ports", switches(), radix_, radix_)},
            {"routes between two nodes", "1"},
            {"links", "one way; a terminal beside each node leads to the first stage and takes from the last"}};
  }

 private:
  u32 stage_switches() const { return nodes() / radix_; }
  u32 switches() const { return stages_ * stage_switches(); }
  bool is_terminal(RouterId router) const { return router.value() >= switches(); }
  RouterId terminal(u32 node) const { return RouterId{switches() + node}; }
  Peer input_of(u32 i, u32 line) const {
    return {Peer::Kind::router, i * stage_switches() + line / radix_, radix_ + line % radix_};
  }
  Peer output_of(u32 i, u32 line) const {
    return {Peer::Kind::router, i * stage_switches() + line / radix_, line % radix_};
  }

  u32 radix_, stages_;
  MinLines lines_;
  std::string wiring_name_;
};

std::unique_ptr<Topology> make_min(const Parameters& keys) {
  const i64 radix = checked_count(keys, "arity", {2, 64}, "a multistage network", 2);
  const i64 stages = checked_count(keys, "levels", {1, 24}, "a multistage network", 3);
  i64 most = 0;
  for (u64 nodes = static_cast<u64>(radix); nodes <= most_min_nodes; nodes *= static_cast<u64>(radix)) ++most;
  if (stages > most) {
    refuse_shape("levels", std::to_string(stages),
                 fmt::format("more than {} nodes with {} ports a switch", most_min_nodes, radix),
                 fmt::format("levels = {}", most));
  }
  const std::string name = keys.has("wiring") ? keys.text("wiring") : "omega";
  const auto wiring = meaning_of<MinWiring>(name, {{"omega", MinWiring::omega},
                                                   {"delta", MinWiring::delta},
                                                   {"butterfly", MinWiring::butterfly},
                                                   {"baseline", MinWiring::baseline}});
  return std::make_unique<Min>(static_cast<u32>(radix), static_cast<u32>(stages), wiring, name);
}

[[maybe_unused]] const bool unidirectional_min_registered = TopologyRegistry::instance().add(
    "unidirectional-min",
    {.help =
         "stages of k x k switches that all packets pass one way, omega, delta, butterfly or baseline; keys: arity, "
         "levels, wiring",
     .family = "unidirectional-min",
     .router = "destination-tag",
     .partition = "",
     .settings = {row::integer("topology.arity", "", std::nullopt, {1, 65'536},
                               "k; a switch has k inputs and k outputs."),
                  row::integer("topology.levels", "levels", std::nullopt, {1, 30}, "stages of switches."),
                  row::choice(
                      "topology.wiring", "omega", {"omega", "delta", "butterfly", "baseline"},
                      "which outputs of a stage lead to which inputs of the next: perfect shuffles, also before "
                      "the first stage (omega, Lawrie) or not (delta, Patel); the first digit of a line's number "
                      "exchanged with another (butterfly); unshuffles of ever fewer lines (baseline, Wu and "
                      "Feng).")},
     .make = make_min,
     .example = {{"arity", i64{2}}, {"levels", i64{3}}}});

}  // namespace
}  // namespace weft::models
