// The network of a config of BookSim.
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/import/booksim/conversion.hpp"

namespace weft::tools::booksim {
namespace {

class TopologyConversion {
 public:
  explicit TopologyConversion(Conversion& all) : all_(all), in_(all.in), out_(all.out) {}

  Machine machine() {
    k_ = in_.at_least("k", 1), n_ = in_.at_least("n", 1), c_ = in_.at_least("c", 1);
    const std::string kind = in_.text("topology");
    const auto& makers = kinds();
    const auto found = makers.find(kind);
    if (found == makers.end()) {
      std::string known;
      for (const auto& [name, maker] : makers) known += (known.empty() ? "" : ", ") + name;
      in_.fail("topology",
               fmt::format("{} is no topology that weft has of BookSim's; use one of {}", shown(kind), known));
    }
    found->second(*this);
    if (const i64 links = in_.integer("link_failures"); links != 0) {
      out_.set("faults", "random_links", in_.at_least("link_failures", links, 0));
      out_.set("faults", "seed", in_.at_least("fail_seed", 0));
    }
    return machine_;
  }

 private:
  using Maker = std::function<void(TopologyConversion&)>;
  static const std::map<std::string, Maker>& kinds() {
    static const std::map<std::string, Maker> all{
        {"mesh", [](TopologyConversion& to) { to.cube("mesh", 1); }},
        {"torus", [](TopologyConversion& to) { to.cube("torus", 2); }},
        {"cmesh", [](TopologyConversion& to) { to.concentrated_mesh(); }},
        {"fly", [](TopologyConversion& to) { to.butterfly(); }},
        {"fattree", [](TopologyConversion& to) { to.fat_tree(); }},
        {"qtree", [](TopologyConversion& to) { to.tree_of_64("qtree", 1); }},
        {"tree4", [](TopologyConversion& to) { to.tree_of_64("tree4", 2); }},
        {"flatfly", [](TopologyConversion& to) { to.flattened_butterfly(); }},
        {"dragonflynew", [](TopologyConversion& to) { to.dragonfly(); }},
        {"single", [](TopologyConversion& to) { to.single(); }},
        {"anynet", [](TopologyConversion& to) { to.any(); }},
    };
    return all;
  }

  void set_kind(const char* kind) { out_.set("topology", "kind", kind); }
  [[nodiscard]] bool on_chip() const { return in_.integer("use_noc_latency") != 0; }
  [[nodiscard]] i64 power(i64 exponent, i64 times = 1) const {
    i64 result = times;
    for (i64 i = 0; i < exponent; ++i) result = in_.at_least("k", result * k_, 1);
    return result;
  }
  [[nodiscard]] std::vector<i64> sides() const { return std::vector<i64>(static_cast<std::size_t>(n_), k_); }

  void cube(const char* kind, i64 latency) {
    set_kind(kind);
    out_.set("topology", "dims", sides());
    if (on_chip()) machine_.latencies = {{"link", latency}, {"link.node", 1}};
    machine_.nodes = power(n_);
    machine_.digits = sides();
    if (c_ > 1) all_.leave_out("c", "meshes and tori have a node a router, in BookSim too");
  }

  /// Nodes of a plane that share routers, as cmesh and flatfly number them.
  void plane() {
    const i64 columns = in_.at_least("xr", 1), rows = in_.at_least("yr", 1);
    if (columns * rows != c_)
      in_.fail("c", fmt::format("is not xr * yr = {} (BookSim refuses it, too); correct one of them", columns * rows));
    machine_.columns = n_ == 1 ? 0 : k_;
    machine_.columns_per_router = columns, machine_.rows_per_router = rows;
    machine_.digits.assign(static_cast<std::size_t>(n_), k_ * columns);
  }

  void concentrated_mesh() {
    set_kind("indirect-cube");
    out_.set("topology", "dims", sides());
    out_.set("topology", "nodes_per_switch", c_);
    machine_.latencies = {{"link", on_chip() ? 2 : 1}, {"link.node", 1}};
    machine_.nodes = power(n_, c_);
    plane();
  }

  void butterfly() {
    set_kind("unidirectional-min");
    out_.set("topology", "arity", k_);
    out_.set("topology", "levels", n_);
    out_.set("topology", "wiring", "butterfly");
    machine_.nodes = power(n_);
    machine_.digits = sides();
  }

  void fat_tree() {
    set_kind("tree");
    out_.set("topology", "arity", k_);
    out_.set("topology", "levels", n_);
    machine_.nodes = power(n_);
    machine_.digits = sides();
  }

  /// BookSim's two trees of three levels: switches of 4 ports down and `up` ports up.
  void tree_of_64(const char* name, i64 up) {
    if (k_ != 4 || n_ != 3)
      in_.fail("topology", fmt::format("{} has k = 4 and n = 3 alone; correct them, or use topology = fattree", name));
    set_kind("thin-tree");
    out_.set("topology", "down", i64{4});
    out_.set("topology", "up", up);
    out_.set("topology", "levels", i64{3});
    machine_.nodes = 64;
    machine_.digits = sides();
  }

  void flattened_butterfly() {
    set_kind("hyperx");
    out_.set("topology", "dims", sides());
    out_.set("topology", "nodes_per_router", c_);
    machine_.nodes = power(n_, c_);
    if (c_ == in_.integer("xr") * in_.integer("yr")) plane();
    machine_.digits.assign(static_cast<std::size_t>(n_), k_ * in_.at_least("xr", 1));
    // Links of a row of k routers are (k + 1) / 3 routers long on average, of xr nodes each.
    const i64 mean = ((k_ + 1) * in_.integer("xr") + 1) / 3;
    if (on_chip() && mean > 1) {
      machine_.latencies = {{"link", mean}, {"link.node", 1}};
      all_.note(
          "use_noc_latency",
          fmt::format("link.latency_cycles = {}, the mean: links are as long as their routers are apart there", mean));
    }
  }

  void dragonfly() {
    if (n_ != 1) in_.fail("n", "is not 1, which dragonflynew has alone; correct it");
    set_kind("dragonfly");
    out_.set("topology", "nodes_per_router", k_);
    out_.set("topology", "routers_per_group", 2 * k_);
    out_.set("topology", "global_links", k_);
    machine_.latencies = {{"link", 10}, {"link.global", 100}, {"link.node", 1}};
    machine_.nodes = in_.at_least("k", 2 * k_ * k_ * (2 * k_ * k_ + 1), 1);
  }

  void single() {
    const i64 ins = in_.at_least("in_ports", 1), outs = in_.at_least("out_ports", 1);
    set_kind("crossbar");
    out_.set("topology", "nodes", std::max(ins, outs));
    if (ins != outs) all_.note("out_ports", "nodes send and receive: as many inputs as outputs");
    machine_.nodes = std::max(ins, outs);
  }

  void any() {
    const std::string name = in_.text("network_file");
    if (name.empty()) in_.fail("topology", "needs network_file; name it");
    const std::filesystem::path folder = std::filesystem::path(in_.file()).parent_path();
    const std::string path = (folder / name).string();
    constexpr u64 most_bytes = u64{1} << 26;
    if (!std::filesystem::is_regular_file(path))
      in_.fail("network_file", fmt::format("is no file ({}); check the path", shown(path)));
    const std::string text = read_text_file<ConfigError>(path, most_bytes, "network file of anynet");
    bool latencies = false;
    set_kind("file");
    out_.set_lines("topology", "text", fabric_of_anynet(text, path, machine_.nodes, latencies));
    if (latencies) all_.note("network_file", "all links have one latency here, that of the first; theirs may differ");
  }

  Conversion& all_;
  const Values& in_;
  TomlWriter& out_;
  Machine machine_;
  i64 k_ = 8, n_ = 2, c_ = 1;
};

}  // namespace

Machine convert_topology(Conversion& all) { return TopologyConversion(all).machine(); }

}  // namespace weft::tools::booksim
