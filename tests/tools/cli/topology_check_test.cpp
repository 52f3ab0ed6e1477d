// The check of a topology's wiring must find every kind of contradiction: each is put into a small network once.
#include "tools/cli/topology_check.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Topology;

std::unique_ptr<Topology> torus() { return models::make_topology({"torus", {{"dims", std::vector<i64>{4, 4}}}}); }

std::unique_ptr<Topology> tree() {
  return models::make_topology({"thin-tree", {{"down", i64{4}}, {"up", i64{2}}, {"levels", i64{2}}}});
}

/// A topology that tells the truth but for what the test replaces.
class Liar final : public Topology {
 public:
  explicit Liar(std::unique_ptr<Topology> truth) : truth_(std::move(truth)), links(truth_->router_links()) {}
  [[nodiscard]] u32 nodes() const override { return truth_->nodes(); }
  [[nodiscard]] u32 routers() const override { return truth_->routers(); }
  [[nodiscard]] u32 ports(RouterId router) const override {
    ++asked;
    return truth_->ports(router);
  }
  [[nodiscard]] bool carries(RouterId router, u32 port) const override { return router != idle || port != 0; }
  [[nodiscard]] Peer peer(RouterId router, u32 port) const override {
    const Peer peer = truth_->peer(router, port);
    return router == liar && port == 0 ? lie(peer) : peer;
  }
  [[nodiscard]] RouterId router_of(NodeId node) const override {
    return node == moved_node ? RouterId(0) : truth_->router_of(node);
  }
  [[nodiscard]] u32 port_of(NodeId node) const override { return truth_->port_of(node); }
  [[nodiscard]] bool direct() const override { return truth_->direct(); }
  [[nodiscard]] u32 distance(NodeId from, NodeId to) const override { return truth_->distance(from, to); }
  [[nodiscard]] u32 diameter() const override { return truth_->diameter(); }
  [[nodiscard]] double mean_distance() const override { return truth_->mean_distance(); }
  [[nodiscard]] double uniform_load_bound() const override { return truth_->uniform_load_bound(); }
  [[nodiscard]] u64 router_links() const override { return links; }
  [[nodiscard]] std::string name() const override { return truth_->name(); }

 private:
  std::unique_ptr<Topology> truth_;

 public:
  RouterId liar;  ///< whose port 0 leads to what `lie` makes of the truth
  std::function<Peer(Peer)> lie = [](Peer peer) { return peer; };
  NodeId moved_node;
  u64 links;
  RouterId idle;          ///< whose port 0 carries nothing away, though no link is said to be one-way
  mutable u64 asked = 0;  ///< for `ports`
};

std::string complaint(const Topology& topology) {
  try {
    static_cast<void>(check_wiring(topology));
  } catch (const Bug& bug) {
    return bug.what();
  }
  return "";
}

TEST(topology_check, counts_what_it_checks_in_networks_without_contradictions) {
  const WiringCheck direct = check_wiring(*torus());
  EXPECT_EQ(direct.routers, 16u);
  EXPECT_EQ(direct.ports, 64u);
  EXPECT_EQ(direct.nodes, 16u);
  EXPECT_TRUE(direct.all);
  const WiringCheck indirect = check_wiring(*tree());
  EXPECT_EQ(indirect.routers, 6u);
  EXPECT_EQ(indirect.ports, 4u * 6 + 2 * 4);
  EXPECT_EQ(indirect.nodes, 16u);
  EXPECT_TRUE(indirect.all);
}

TEST(topology_check, a_sample_has_as_many_different_routers_as_are_asked_for) {
  const WiringCheck sample = check_wiring(*torus(), 7);
  EXPECT_EQ(sample.routers, 7u);
  EXPECT_EQ(sample.nodes, 7u);
  EXPECT_EQ(sample.ports, 28u);
  EXPECT_FALSE(sample.all);
  // With all routers but one: a lie is met whoever tells it, for where the liar is left out its neighbours notice.
  Liar liar(torus());
  liar.lie = [](Peer peer) { return Peer{peer.kind, peer.id, peer.port + 2}; };
  u32 found = 0;
  for (u32 router = 0; router < 16; ++router) {
    liar.liar = RouterId(router);
    try {
      static_cast<void>(check_wiring(liar, 15));
    } catch (const Bug&) {
      ++found;
    }
  }
  EXPECT_EQ(found, 16u);
}

TEST(topology_check, a_port_that_is_not_led_back_to_is_named) {
  Liar liar(torus());
  liar.liar = RouterId(5);
  liar.lie = [](Peer) { return Peer{Peer::Kind::router, 0, 0}; };
  EXPECT_NE(complaint(liar).find("which leads elsewhere"), std::string::npos) << complaint(liar);
  liar.lie = [](Peer) { return Peer{Peer::Kind::router, 16, 0}; };
  EXPECT_NE(complaint(liar).find("does not exist"), std::string::npos) << complaint(liar);
}

TEST(topology_check, a_node_that_is_elsewhere_is_named) {
  Liar liar(tree());
  liar.moved_node = NodeId(9);
  EXPECT_NE(complaint(liar).find("node 9"), std::string::npos) << complaint(liar);
}

TEST(topology_check, a_node_on_a_port_of_a_direct_network_is_refused) {
  Liar liar(torus());
  liar.liar = RouterId(0);  // the first, so that no neighbour complains before
  liar.lie = [](Peer) { return Peer{Peer::Kind::node, 0, 0}; };
  EXPECT_NE(complaint(liar).find("routers are the nodes"), std::string::npos) << complaint(liar);
}

TEST(topology_check, a_wrong_number_of_links_is_noticed) {
  Liar liar(tree());
  liar.links += 1;
  EXPECT_NE(complaint(liar).find("but there are 9 links"), std::string::npos) << complaint(liar);
}

TEST(topology_check, a_one_way_link_in_a_network_without_any_is_noticed) {
  Liar liar(torus());
  liar.idle = RouterId(5);
  EXPECT_NE(complaint(liar).find("has a one-way link, though there are none"), std::string::npos) << complaint(liar);
}

TEST(topology_check, one_router_of_a_kind_is_asked_for_its_ports) {
  const Liar liar(torus());
  EXPECT_EQ(count_ports(liar).total, 64u);
  EXPECT_LE(liar.asked, 1u);
}

TEST(topology_check, ports_are_counted_over_all_routers) {
  const PortCounts counts = count_ports(*tree());
  EXPECT_EQ(counts.least, 4u);
  EXPECT_EQ(counts.most, 6u);
  EXPECT_EQ(counts.total, 4u * 6 + 2 * 4);
}

}  // namespace
}  // namespace weft::tools
