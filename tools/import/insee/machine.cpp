// The machine of a config of FSIN: its network, packets, routers and congestion control.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "engine/base/text/shown.hpp"
#include "tools/import/insee/conversion.hpp"

namespace weft::tools::insee {
namespace {

class MachineConversion {
 public:
  explicit MachineConversion(Conversion& all) : all_(all), in_(all.in), out_(all.out) {}

  Machine machine() {
    topology();
    if (const i64 links = in_.integer("faults"); links != 0) out_.set("faults", "random_links", links);
    out_.set("simulation", "seed", in_.integer("rseed"));
    packets();
    router();
    congestion();
    return machine_;
  }

 private:
  i64 power(i64 base, i64 exponent) const {
    i64 result = 1;
    for (i64 k = 0; k < exponent; ++k) {
      if (result > (i64{1} << 30) / base) in_.fail("topo", "has too many nodes; use fewer");
      result *= base;
    }
    return result;
  }

  void topology() {
    const std::vector<std::string> parts = in_.parts("topo");
    const std::string kind = parts.empty() ? "" : parts.front();
    const auto number = [&](std::size_t place, i64 fallback) {
      return in_.at_least("topo", in_.part("topo", place, fallback), 1);
    };
    const auto needs = [&](std::size_t count, const char* form) {
      if (parts.size() != count + 1) in_.fail("topo", fmt::format("has {} numbers; write {}", parts.size() - 1, form));
    };
    if (kind == "torus" || kind == "mesh" || kind == "ttorus" || kind == "spin" || kind == "spinnaker") {
      if (parts.size() > 4) in_.fail("topo", "has more than three sizes; use three at most");
      machine_.dims = parts.size() == 1 ? std::vector<i64>{4, 4} : std::vector<i64>{};
      for (std::size_t place = 1; place < parts.size(); ++place) machine_.dims.push_back(number(place, 1));
      grid(kind);
    } else if (kind == "midimew") {
      needs(1, "midimew_NODES");
      set_kind("midimew");
      out_.set("topology", "nodes", machine_.processors = switches_ = number(1, 1));
      machine_.dimensions = 1;  // by which FSIN counts ports
    } else if (kind == "circulant" || kind == "circpk") {
      needs(2, kind == "circpk" ? "circpk_A_K" : "circulant_NODES_STEP");
      const i64 a = number(1, 1), k = number(2, 1);
      const i64 nodes = kind == "circpk" ? 2 * a * a : a, step = kind == "circpk" ? 2 * k * a - 1 : k;
      set_kind("circulant");
      out_.set("topology", "nodes", machine_.processors = switches_ = in_.at_least("topo", nodes, 1));
      out_.set("topology", "steps", std::vector<i64>{1, step});
      machine_.dimensions = 2;
    } else if (kind == "fattree" || kind == "fat") {
      needs(2, "fattree_PORTS_STAGES");
      tree(number(1, 1), number(1, 1), number(2, 1));
      set_kind("tree");
      out_.set("topology", "arity", number(1, 1));
      out_.set("topology", "levels", number(2, 1));
    } else if (kind == "thintree" || kind == "thin") {
      needs(3, "thintree_DOWN_UP_STAGES");
      tree(number(1, 1), number(2, 1), number(3, 1));
      set_kind("thin-tree");
      out_.set("topology", "down", number(1, 1));
      out_.set("topology", "up", number(2, 1));
      out_.set("topology", "levels", number(3, 1));
    } else if (kind == "tricube" || kind == "icube") {
      if (parts.size() < 4 || parts.size() > 6) in_.fail("topo", "is not icube_NODES_LINKS_X, _Y and _Z; write it so");
      machine_.family = Family::indirect_cube;
      set_kind("indirect-cube");
      i64 cubes = 1;
      for (std::size_t place = 3; place < parts.size(); ++place) machine_.dims.push_back(number(place, 1));
      for (const i64 side : machine_.dims) cubes *= side;
      machine_.dimensions = static_cast<i64>(machine_.dims.size());
      machine_.processors = number(1, 1) * cubes, switches_ = cubes;
      out_.set("topology", "dims", machine_.dims);
      out_.set("topology", "nodes_per_switch", number(1, 1));
      out_.set("topology", "parallel_links", number(2, 1));
      ports_ = number(1, 1) + machine_.dimensions * 2 * number(2, 1);
    } else if (kind.starts_with("dragonfly")) {
      needs(3, "dragonfly-abs_P_A_H");
      dragonfly(kind, number(1, 1), number(2, 1), number(3, 1));
    } else {
      in_.fail("topo",
               fmt::format("{} is no topology that weft has of FSIN's; weft describe topologies lists those it has",
                           shown(kind)));
    }
    const i64 ways = in_.integer("nways");
    if (ways != 1 && ways != 2) in_.fail("nways", "is neither 1 nor 2; use one of them");
    ways_ = machine_.family == Family::grid ? ways : machine_.family == Family::indirect_cube ? 2 : 1;
    if (machine_.family == Family::grid && ways == 1) out_.set("topology", "unidirectional", true);
  }

  void set_kind(const char* kind) { out_.set("topology", "kind", kind); }

  void grid(const std::string& kind) {
    machine_.dimensions = static_cast<i64>(machine_.dims.size());
    machine_.processors = 1;
    for (const i64 side : machine_.dims) machine_.processors = in_.at_least("topo", machine_.processors * side, 1);
    switches_ = machine_.processors;
    // [from][into]: what FSIN calls sk_<from><into>.
    static constexpr const char* skews[3][3] = {{"", "sk_xy", "sk_xz"}, {"sk_yx", "", "sk_yz"}, {"sk_zx", "sk_zy", ""}};
    std::vector<i64> twist;
    for (i64 into = 0; into < 3; ++into) {
      for (i64 from = 0; from < 3; ++from) {
        if (from == into) continue;
        const std::string name = skews[from][into];
        const i64 skew = in_.integer(name);
        if (skew == 0 || kind != "ttorus") continue;
        if (from >= machine_.dimensions || into >= machine_.dimensions)
          in_.fail(name, "is of a dimension that topo has not; remove it");
        if (name == "sk_zx")
          all_.note(name, "FSIN takes it with the wrong sign (its network has errors); here it is right");
        twist.insert(twist.end(), {from, into, skew});
      }
    }
    is_torus_ = kind != "mesh";
    is_plain_ = kind == "torus" || kind == "mesh" || kind == "ttorus";
    set_kind(kind == "ttorus"           ? (twist.empty() ? "torus" : "twisted-torus")
             : kind.starts_with("spin") ? "spinnaker"
                                        : kind.c_str());
    out_.set("topology", "dims", machine_.dims);
    if (!twist.empty()) out_.set("topology", "twist", twist);
  }

  void tree(i64 down, i64 up, i64 stages) {
    machine_.family = Family::tree;
    machine_.processors = power(down, stages);
    i64 at_level = machine_.processors / down;
    switches_ = 0;
    for (i64 stage = 0; stage < stages; ++stage, at_level = at_level / down * up) switches_ += at_level;
    ports_ = down + up;
  }

  void dragonfly(const std::string& kind, i64 p, i64 a, i64 h) {
    machine_.family = Family::dragonfly;
    const std::string order = in_.word_of("topo", kind,
                                          {{"dragonfly", "relative"},
                                           {"dragonfly-rel", "relative"},
                                           {"dragonfly-relative", "relative"},
                                           {"dragonfly-abs", "absolute"},
                                           {"dragonfly-absolute", "absolute"},
                                           {"dragonfly-circ", "circulant"},
                                           {"dragonfly-circulant", "circulant"}});
    set_kind("dragonfly");
    out_.set("topology", "nodes_per_router", p);
    out_.set("topology", "routers_per_group", a);
    out_.set("topology", "global_links", h);
    out_.set("topology", "arrangement", order);
    machine_.group_nodes = p * a;
    switches_ = a * (a * h + 1);
    machine_.processors = in_.at_least("topo", p * switches_, 1);
    ports_ = p + a - 1 + h;
  }

  void packets() {
    out_.set("packet", "phits", in_.at_least("plength", in_.part("plength", 0, 16), 1));
    machine_.phit_bytes = in_.at_least("plength", in_.part("plength", 1, 4), 1);
    out_.set("packet", "phit_bytes", machine_.phit_bytes);
  }

  void router() {
    const std::string vc = in_.text("vc"), rmode = in_.text("rmode"), routing = in_.text("routing");
    if (machine_.family == Family::grid) {
      if (routing == "dir")
        in_.fail("routing", "is direction order, which weft has not; use dim, if dimension order will do");
      if (vc == "bubble") {
        out_.set("router", "kind", "bubble");
        out_.set("router", "routing",
                 in_.word_of(
                     "rmode", rmode,
                     {{"random", "random"}, {"shortest", "shortest"}, {"smart", "smart"}, {"oblivious", "oblivious"}}));
      } else if (vc == "double") {
        out_.set("router", "kind", "bubble");
        out_.set("router", "routing", in_.word_of("rmode", rmode, {{"doubleob", "double"}, {"hexaob", "hexa"}}));
      } else {
        out_.set("router", "kind",
                 in_.word_of("vc", vc, {{"dally", "dally"}, {"bubble", "bubble"}, {"double", "bubble"}}));
        out_.set("router", "routing",
                 in_.word_of("rmode", rmode,
                             {{"trc", "trc"}, {"basic", "basic"}, {"improved", "improved"}, {"adaptive", "adaptive"}}));
        if (rmode == "adaptive")
          all_.note("rmode", "FSIN never uses its adaptive channels (its figures are those of improved); weft does");
      }
    } else {
      indirect_router(routing);
    }
    channels_ = in_.at_least("nchan", in_.integer("nchan"), 1);
    if (machine_.family == Family::indirect_cube && routing != "adaptive" && channels_ > 1) {
      all_.note("nchan", "one channel, as in FSIN with static routes in indirect cubes");
      channels_ = 1;
    }
    out_.set("router", "virtual_channels", channels_);
    out_.set("router", "queue_packets", in_.at_least("tql", in_.integer("tql"), 1));
    out_.set("router", "injection_queue_packets", in_.at_least("iql", in_.integer("iql"), 1));
    out_.set("router", "arbitration",
             in_.word_of("amode", in_.text("amode"),
                         {{"rr", "round-robin"},
                          {"fifo", "fifo"},
                          {"longest", "longest"},
                          {"highest", "highest"},
                          {"random", "random"},
                          {"age", "age"},
                          {"oldest", "age"}}));
    if (machine_.family == Family::grid) direct_router(vc);
    if (const double priority = in_.real("intransit_pr"); priority != 0) out_.set("router", "ipr_fraction", priority);
    if (const i64 room = in_.integer("bub_to_adap"); room != 0) {
      out_.set("router", "lbr_packets", room);
      if (machine_.family == Family::indirect_cube)
        all_.note("bub_to_adap", "FSIN asks for 16 times as much room in indirect cubes");
    }
  }

  void indirect_router(const std::string& routing) {
    if (machine_.family == Family::tree) {
      const bool known = routing == "adaptive" || routing == "arith" || routing == "arithmetic";
      out_.set("router", "kind", "multistage");
      out_.set("router", "routing",
               routing == "adaptive"               ? "adaptive"
               : in_.integer("nchan") > 1 && known ? "static-by-channel"
                                                   : "static");
      if (!known)
        all_.note("routing", "FSIN takes routes from a table; here the source's number says the way up (static)");
      if (known && routing != "adaptive" && in_.parts("topo").front().starts_with("thin"))
        all_.note("routing",
                  "FSIN goes up by the destination in thin trees, though its comment says the source; weft by that");
    } else if (machine_.family == Family::dragonfly) {
      out_.set("router", "kind", "dragonfly");
      out_.set("router", "routing", routing == "valiant" ? "valiant" : "minimal");
      if (routing != "valiant" && routing != "static")
        all_.note("routing", "minimal routes: to the group's link, over it, on");
    } else {
      out_.set("router", "kind", "indirect-cube");
      const bool same = routing == "adaptive" || routing == "1mesh" || routing == "4mesh";
      out_.set("router", "routing", same ? routing : "static");
    }
  }

  /// What routers with nodes inside have besides.
  void direct_router(const std::string& vc) {
    out_.set("router", "consumption",
             in_.word_of("cmode", in_.text("cmode"), {{"single", "single"}, {"multiple", "multiple"}}));
    const std::string injection = in_.word_of("imode", in_.text("imode"),
                                              {{"shortest", "shortest"},
                                               {"dor", "dor"},
                                               {"dsh", "dor-shortest"},
                                               {"shp", "shortest-profitable"},
                                               {"lpath", "longest-path"}});
    i64 queues = in_.at_least("ninj", in_.integer("ninj"), 1);
    if (injection != "shortest") queues = std::max(queues, machine_.dimensions * ways_);
    out_.set("router", "injection_queues", queues);
    if (queues > 1) out_.set("router", "injection", injection);
    if (injection.starts_with("dor") && machine_.dimensions > 1)
      all_.note("imode", "FSIN takes the last dimension to travel, which is an error; weft the first");
    const std::vector<std::string> sizes = in_.parts("bsize");
    if (vc == "dally") return;
    const i64 bubble = in_.part("bsize", 0, 2);
    if (bubble != 2) out_.set("router", "bubble_packets", bubble);
    if (std::ranges::adjacent_find(sizes, std::not_equal_to{}) != sizes.end())
      all_.note("bsize", "one size for all dimensions, the first");
  }

  /// Global congestion control, in packets of what FSIN takes for the capacity of the network.
  void congestion() {
    const double percent = in_.real("global_cc");
    const i64 period = in_.integer("update_period");
    if (percent >= 100) return;
    const i64 ports = machine_.family == Family::grid ? machine_.dimensions * ways_ : ports_;
    const double capacity = static_cast<double>(switches_ * ports * ways_ * channels_ * in_.integer("tql"));
    out_.set("congestion", "kind", "gcc");
    out_.set("congestion", "gcc_packets", std::max<i64>(1, std::llround(std::floor(capacity * percent / 100))));
    i64 diameter = 0;
    for (const i64 side : machine_.dims) diameter += is_torus_ ? side / 2 : side - 1;
    const bool counted = machine_.family == Family::grid && is_plain_;
    out_.set("congestion", "gcc_period_cycles", std::max<i64>(1, period * (counted ? diameter : 1)));
  }

  Conversion& all_;
  const Values& in_;
  TomlWriter& out_;
  Machine machine_;
  bool is_torus_ = true, is_plain_ = false;
  i64 ways_ = 2, channels_ = 1, ports_ = 0;
  i64 switches_ = 0;  ///< that have queues; machine_.processors is FSIN's NPROCS
};

}  // namespace

Machine convert_machine(Conversion& all) { return MachineConversion(all).machine(); }

}  // namespace weft::tools::insee
