// How long a run may go without a delivery: whatever may take long makes it longer.
#include "models/routing/longest_idle_time.hpp"
#include "tests/tools/run/config/config_file.hpp"
#include "tools/run/context.hpp"

namespace weft::tools::testing {
namespace {

class WatchdogOfARun : public ConfigFile {
 protected:
  [[nodiscard]] Tick rest(const std::string& network, const std::vector<std::string>& overrides) const {
    const Config config = load(network, overrides);
    const auto transport = engine::single_process();
    Context context(config, *transport, nullptr);
    prepare(context);
    return models::longest_idle_time(*context.topology, context.router);
  }
  /// `key` = `value` is legal, and the longest rest is at least so many ticks then.
  void expect_at_least(Tick ticks, const std::string& network, std::vector<std::string> overrides,
                       const std::string& last) const {
    const Tick before = rest(network, overrides);
    EXPECT_LT(before, ticks) << last;
    overrides.push_back(last);
    EXPECT_GE(rest(network, overrides), ticks) << last;
  }
};

constexpr const char* slow_torus = "topology = {kind = \"torus\", dims = [4, 4]}\n";
constexpr const char* crossbar = "topology = {kind = \"crossbar\", nodes = 4}\n";
constexpr const char* slow_tree = "topology = {kind = \"tree\", arity = 4, levels = 2}\n";
constexpr const char* slow_dragonfly =
    "topology = {kind = \"dragonfly\", nodes_per_router = 2, routers_per_group = 4, global_links = 2}\n";
constexpr const char* chips = "topology = {kind = \"spinnaker\", dims = [4, 4]}\n";

TEST_F(WatchdogOfARun, GrowsWithWhateverHoldsUpPackets) {
  expect_at_least(4 * 5000, slow_tree, {}, "link.latency_cycles=5000");
  expect_at_least(2 * 5000, crossbar, {}, "link.node.latency_cycles=5000");
  expect_at_least(5000, slow_dragonfly, {}, "link.global.latency_cycles=5000");
  expect_at_least(3 * 5000, slow_tree, {}, "router.switch_latency_cycles=5000");
  const std::string cells = "router.kind=switch", worms = "router.kind=wormhole";
  expect_at_least(5 * 5000, slow_torus, {cells}, "router.routing_cycles=5000");
  expect_at_least(5 * 5000, slow_torus,
                  {worms, "router.virtual_channels=1", "router.routing=source-route", "router.engine=updn"},
                  "router.routing_cycles=5000");
  expect_at_least(5 * 16 * 1000, slow_torus, {cells}, "link.phits_per_cycle=0.001");
  expect_at_least(16 * 10'000, crossbar, {cells, "congestion.kind=dcqcn", "congestion.rate_least=0.1"},
                  "congestion.rate_least=1e-4");
  expect_at_least(16 * 10'000, crossbar, {cells, "congestion.kind=infiniband", "congestion.cct_percent=[0,1]"},
                  "congestion.cct_percent=[0,1000000]");
  expect_at_least(20'000, crossbar, {cells, "congestion.kind=swift", "congestion.max_gap_cycles=10"},
                  "congestion.max_gap_cycles=20000");
  expect_at_least(2 * 20'000, chips, {"router.kind=spinnaker", "router.virtual_channels=1"},
                  "router.emergency_wait_cycles=20000");
  // A packet of 16 cells that go one by one, each when a credit has come over two links of 100 cycles.
  expect_at_least(16 * 200, crossbar,
                  {worms, "router.virtual_channels=1", "link.latency_cycles=100", "router.buffer_cells=1000"},
                  "router.buffer_cells=1");
}

TEST_F(WatchdogOfARun, BearsRoutesOfFilesOfAnyLength) {
  const std::string path = (directory_ / "routes.txt").string();
  std::ofstream(path) << "0 1: 0 1 0 1 0\n";
  expect_at_least(255 * 16, crossbar, {}, "link.latency_cycles=2000");
  EXPECT_GE(rest(slow_torus, {"router.kind=source-route", "deadlock.check=off", "router.routes_path=" + path}),
            Tick{255 * 16});
}

}  // namespace
}  // namespace weft::tools::testing
