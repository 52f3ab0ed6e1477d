// Routers, routing and packets of a config of BookSim.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/text/shown.hpp"
#include "tools/import/booksim/conversion.hpp"

namespace weft::tools::booksim {
namespace {

/// What a routing function of a topology is here.
struct Route {
  const char* topology;
  const char* function;
  const char* routing;
  const char* differs = "";  ///< empty: the same
};
constexpr const char* no_valiant = "no routes through a random node on meshes and tori: dimension order";
constexpr const char* no_turns = "both orders of dimensions are not there: one";
constexpr const char* own_class = "channels are not kept apart by destination";
constexpr Route routes[] = {
    {"mesh", "dor", "dor"},
    {"mesh", "dim_order", "dor"},
    {"mesh", "dim_order_ni", "dor", own_class},
    {"mesh", "dim_order_pni", "dor", own_class},
    {"mesh", "xy_yx", "dor", no_turns},
    {"mesh", "adaptive_xy_yx", "dor", no_turns},
    {"mesh", "min_adapt", "dally:adaptive"},
    {"mesh", "planar_adapt", "dally:adaptive", "all dimensions at once, with an escape channel"},
    {"mesh", "limited_adapt", "dally:adaptive", "no misrouting"},
    {"mesh", "chaos", "dally:adaptive", "no misrouting"},
    {"mesh", "romm", "dor", no_valiant},
    {"mesh", "romm_ni", "dor", no_valiant},
    {"mesh", "valiant", "dor", no_valiant},
    {"torus", "dor", "dally:basic"},
    {"torus", "dim_order", "dally:basic"},
    {"torus", "dim_order_bal", "dally:improved", "balanced otherwise"},
    {"torus", "dim_order_ni", "dally:basic", own_class},
    {"torus", "min_adapt", "dally:adaptive"},
    {"torus", "chaos", "dally:adaptive", "no misrouting"},
    {"torus", "minimal_oblivious", "dally:basic", no_turns},
    {"torus", "load_balanced_oblivious", "dally:basic", "minimal routes alone"},
    {"torus", "valiant", "dally:basic", no_valiant},
    {"torus", "valiant_ni", "dally:basic", no_valiant},
    {"cmesh", "dor", "indirect-cube:1mesh", "no express links"},
    {"cmesh", "dor_no_express", "indirect-cube:1mesh"},
    {"cmesh", "xy_yx", "indirect-cube:1mesh", no_turns},
    {"cmesh", "xy_yx_no_express", "indirect-cube:1mesh", no_turns},
    {"fly", "dest_tag", "destination-tag"},
    {"fattree", "nca", "fat-tree:random"},
    {"fattree", "anca", "fat-tree:adaptive-up"},
    {"qtree", "nca", "fat-tree:d-mod-k"},
    {"tree4", "nca", "fat-tree:random"},
    {"tree4", "anca", "fat-tree:adaptive-up"},
    {"flatfly", "ran_min", "minimal"},
    {"flatfly", "xyyx", "min-adaptive", "dimensions by occupancy, not at random"},
    {"flatfly", "adaptive_xyyx", "min-adaptive"},
    {"flatfly", "valiant", "valiant"},
    {"flatfly", "ugal", "ugal-l"},
    {"flatfly", "ugal_pni", "ugal-l", own_class},
    {"flatfly", "ugal_xyyx", "ugal-l", no_turns},
    {"dragonflynew", "min", "minimal"},
    {"dragonflynew", "ugal", "ugal-l", "decided by what waits, without its threshold"},
    {"single", "single", "auto"},
    {"anynet", "min", "forwarding-table",
     "shortest paths by weft's engine, in virtual layers where they would close a cycle"},
};

constexpr const char* stages_of_a_router[] = {"routing_delay", "vc_alloc_delay", "sw_alloc_delay", "st_prepare_delay",
                                              "st_final_delay"};

class RouterConversion {
 public:
  RouterConversion(Conversion& all, Machine& machine) : all_(all), in_(all.in), out_(all.out), machine_(machine) {}

  void convert() {
    packets();
    // Channels of worms are those of iq; a link with one channel, and buffers that channels share, are of switches of
    // cells.
    worms_ = in_.text("num_vcs") != "1" && !shared();
    out_.set("router", "kind", worms_ ? "wormhole" : "switch");
    if (const std::string kind = in_.text("router"); kind != "iq") {
      all_.note("router",
                fmt::format("{} is not there: the nearest is a switch with credits and virtual channels, as iq",
                            shown(kind)));
    }
    routing();
    channels();
    speeds();
    pipeline();
    links();
    allocation();
    own_classes();
  }

 private:
  [[nodiscard]] bool shared() const { return in_.integer("buf_size") > 0 && in_.text("buffer_policy") != "private"; }
  [[nodiscard]] i64 size(const std::string& name) const {
    return in_.at_least(name, in_.integer_of(name, in_.first(name)), 1);
  }

  /// Reads and writes are requests of two lengths; the answers are of one here.
  void requests() {
    const i64 read = size("read_request_size"), write = size("write_request_size");
    const i64 read_reply = size("read_reply_size"), write_reply = size("write_reply_size");
    const double writes = in_.real_of("write_fraction", in_.first("write_fraction"));
    if (!(writes >= 0 && writes <= 1)) in_.fail("write_fraction", "is not between 0 and 1; correct it");
    const auto mean = [&](i64 of_reads, i64 of_writes) {
      const double value = static_cast<double>(of_reads) * (1 - writes) + static_cast<double>(of_writes) * writes;
      return std::max(i64{1}, static_cast<i64>(std::llround(value)));
    };
    const i64 reply = mean(read_reply, write_reply), longest = std::max({read, write, reply});
    out_.set("packet", "phits", longest);
    out_.set("workload", "reply_phits", reply);
    machine_.packet_flits = mean(read, write);
    lengths_ = {longest};
    if (read != longest || write != longest) {
      out_.set("workload", "packet_length", "listed");
      out_.set("workload", "lengths_phits", std::vector<i64>{read, write});
      out_.set("workload", "length_weights",
               std::vector<i64>{std::llround(1000 * (1 - writes)), std::llround(1000 * writes)});
    }
    for (const char* const name : {"read_request_size", "write_request_size"})
      all_.same(name, "workload.lengths_phits");
    for (const char* const name : {"read_reply_size", "write_reply_size"}) {
      if (read_reply == write_reply)
        all_.same(name, "workload.reply_phits");
      else
        all_.note(name,
                  fmt::format("workload.reply_phits = {}: replies to reads and writes are alike, the mean", reply));
    }
    if (in_.given("packet_size")) all_.same("packet_size", "without effect with use_read_write");
    all_.same("write_fraction", "workload.length_weights");
  }

  void packets() {
    if (all_.replies()) return requests();
    std::vector<i64> sizes, weights;
    for (const std::string& size : elements_of(in_.first("packet_size")))
      sizes.push_back(in_.at_least("packet_size", in_.integer_of("packet_size", size), 1));
    for (const std::string& weight : elements_of(in_.first("packet_size_rate")))
      weights.push_back(in_.at_least("packet_size_rate", in_.integer_of("packet_size_rate", weight), 0));
    out_.set("packet", "phits", std::ranges::max(sizes));
    machine_.packet_flits = sizes.front();
    if (sizes.size() < 2) return;
    weights.resize(sizes.size(), 1);
    lengths_ = sizes;
    double flits = 0, all = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      flits += static_cast<double>(sizes[i] * weights[i]), all += static_cast<double>(weights[i]);
    machine_.packet_flits = std::max(i64{1}, static_cast<i64>(std::llround(flits / all)));
    out_.set("workload", "packet_length", "listed");
    out_.set("workload", "lengths_phits", sizes);
    out_.set("workload", "length_weights", weights);
  }

  void routing() {
    const std::string topology = in_.text("topology"), function = in_.text("routing_function");
    std::vector<const char*> known;
    for (const Route& route : routes) {
      if (topology != route.topology) continue;
      known.push_back(route.function);
      // Functions may be written with the topology behind them: "dim_order_mesh".
      if (function != route.function && function != fmt::format("{}_{}", route.function, topology)) continue;
      set_routing(route.routing);
      if (*route.differs != 0)
        all_.note("routing_function", fmt::format("router.routing = \"{}\": {}", route.routing, route.differs));
      else
        all_.same("routing_function", fmt::format("router.routing = \"{}\"", route.routing));
      return;
    }
    if (function.starts_with("ugal_") && topology == "dragonflynew") {
      out_.set("router", "routing", "ugal-l");
      return all_.note("routing_function",
                       "router.routing = \"ugal-l\": that of a version of BookSim that is not known here");
    }
    in_.fail("routing_function", fmt::format("{} is no routing function that weft knows of {}; use one of {}",
                                             shown(function), shown(topology), fmt::join(known, ", ")));
  }

  void set_routing(const std::string& routing) {
    escapes_ = routing == "dally:adaptive";
    const bool by_table = routing == "dor" && in_.text("num_vcs") == "1";
    out_.set("router", "routing", by_table ? "forwarding-table" : routing);
    // BookSim's packets keep their channels behind a date line.
    if (routing == "dally:basic") out_.set("router", "channel_rule", "paper");
    // Order of dimensions is free of deadlock in one channel of a mesh; by table, since Dally routers have two.
    if (by_table) out_.set("router", "engine", "dor");
  }

  void channels() {
    constexpr i64 most = 16;
    const std::string count = in_.text("num_vcs");
    i64 channels = count.empty() ? 16 : in_.at_least("num_vcs", 1);
    if (count.empty()) all_.note("num_vcs", "BookSim's default, 16: there is no number");
    if (channels > most) {
      all_.note("num_vcs", "16, the most");
      channels = most;
    }
    out_.set("router", "virtual_channels", channels);
    i64 cells = in_.at_least(shared() ? "buf_size" : "vc_buf_size", 1);
    if (shared()) out_.set("router", "buffers", "shared");
    const i64 longest = lengths_.empty() ? machine_.packet_flits : std::ranges::max(lengths_);
    if (!worms_ && cells < longest) {
      all_.note("vc_buf_size", fmt::format("router.buffer_cells = {}, a whole packet", longest));
      cells = longest;
    }
    out_.set("router", "buffer_cells", cells);
  }

  /// Crossbars that are faster than links, and what a cycle is then.
  void speeds() {
    const double wanted = in_.real("internal_speedup");
    if (!(wanted >= 1) || wanted > 16) in_.fail("internal_speedup", "is not between 1 and 16; correct it");
    speedup_ = std::llround(std::ceil(wanted));
    if (static_cast<double>(speedup_) != wanted)
      all_.note("internal_speedup", fmt::format("router.speedup = {}", speedup_));
    if (static_cast<double>(speedup_) == wanted)
      all_.same("internal_speedup", speedup_ == 1 ? "the crossbar is as fast as the links" : "router.speedup");
    const i64 ports = in_.at_least("input_speedup", 1);
    if (ports == 1 || worms_)
      all_.same("input_speedup", ports == 1 ? "as many crossbar ports as links" : "router.input_speedup");
    else
      all_.note("input_speedup", "as many crossbar ports as links: 1");
    if (ports > 1 && worms_) out_.set("router", "input_speedup", ports);
    if (in_.integer("output_speedup") == 1)
      all_.same("output_speedup", "as many crossbar ports as links");
    else
      all_.note("output_speedup", "as many crossbar ports as links: 1");
    if (speedup_ == 1) return;
    out_.set("router", "speedup", speedup_);
    const i64 output = in_.integer("output_buffer_size");
    out_.set("router", "output_buffer_cells", output > 0 ? output : i64{4096});
    // A cycle of 1 ns: 8 bytes at 64 Gb/s.
    out_.set("simulation", "tick_ps", 1000 / speedup_);
    out_.set("link", "rate_gbps", 8.0 * 8.0 * 1000.0 / static_cast<double>(1000 / speedup_ * speedup_));
    out_.set("packet", "phit_bytes", i64{8});
  }

  /// Cycles of a head flit in a router that has nobody in its way. Stages of one cycle follow each other at the speed
  /// of the crossbar; the last one ends in the cycle of the link in which the flit is sent.
  void pipeline() {
    i64 stages = 0, more = 0;
    for (const char* const name : stages_of_a_router) {
      const i64 delay = in_.at_least(name, 0);
      stages += delay > 0 ? 1 : 0;
      more += std::max(i64{0}, delay - 1);
    }
    if (in_.integer("speculative") != 0 && stages > 1) --stages;
    const i64 cycles = (std::max(i64{1}, stages) - 1) / speedup_ + 1 + more;
    std::string becomes = fmt::format("{} cycles a router: router.routing_cycles + switch_latency_cycles", cycles);
    if (worms_ && speedup_ == 1) {
      becomes = fmt::format("{} cycles a router, of which link.latency_cycles has one", cycles);
      const i64 routing = in_.integer("routing_delay");
      const i64 channel = std::max(i64{0}, in_.integer("vc_alloc_delay") - (in_.integer("speculative") != 0 ? 1 : 0));
      out_.set("router", "routing_cycles", routing);
      out_.set("router", "vc_allocation_cycles", channel);
      out_.set("router", "switch_latency_cycles", std::max(i64{1}, cycles - 1 - routing - channel));
    } else {
      out_.set("router", "routing_cycles", cycles - 1);
      out_.set("router", "switch_latency_cycles", i64{1});
      if (worms_) out_.set("router", "vc_allocation_cycles", i64{0});
    }
    for (const char* const name : stages_of_a_router) all_.same(name, becomes);
  }

  /// A channel of BookSim takes a cycle more than its latency, in which the switch of cells sends the flit off. Credits
  /// take as long, and credit_delay.
  void links() {
    const i64 more = worms_ && speedup_ == 1 ? 1 : 0;
    i64 usual = 1;
    for (const auto& [table, latency] : machine_.latencies) {
      const i64 cycles = latency + more;
      if (table == "link") usual = cycles;
      if (table == "link" ? cycles != 1 : cycles != usual) out_.set(table, "latency_cycles", cycles);
    }
    if (!worms_) return;
    const i64 credits = in_.at_least("credit_delay", 0) + (speedup_ > 1 ? 1 : 0);
    if (credits > 0) out_.set("router", "credit_cycles", credits);
    all_.same("credit_delay", "router.credit_cycles");
  }

  void allocation() {
    const std::string allocator = in_.text("sw_allocator"), priority = in_.text("priority");
    std::string scheduling = "islip";
    if (allocator.ends_with("wavefront") && !worms_) scheduling = "wavefront";
    if (allocator == "pim") scheduling = "random";
    if (allocator == scheduling || (allocator == "pim")) all_.same("sw_allocator", "router.scheduling");
    if (priority == "age" || priority == "network_age") scheduling = "age";
    if (priority == "none" || priority == "age") all_.same("priority", "router.scheduling");
    out_.set("router", "scheduling", scheduling);
    const i64 own = in_.integer("sw_alloc_iters");
    out_.set("router", "iterations", std::clamp(own > 0 ? own : in_.integer("alloc_iters"), i64{1}, i64{64}));
    if (in_.text("arb_type") != "round_robin") all_.note("arb_type", "round robin: router.scheduling = \"islip\"");
    release();
    if (worms_) {
      if (in_.integer("hold_switch_for_packet") == 0)
        all_.same("hold_switch_for_packet", "cells of several packets take turns");
      else
        all_.note("hold_switch_for_packet", "cells of several packets take turns, always");
      if (in_.text("vc_allocator") == "islip") all_.same("vc_allocator", "router.scheduling");
    } else if (in_.integer("hold_switch_for_packet") != 0 || machine_.packet_flits == 1) {
      all_.same("hold_switch_for_packet", "a packet holds the crossbar to its last flit");
    }
    if (in_.integer("noq") == 0) all_.same("noq", "as it is here");
  }

  /// When a channel is free for another packet.
  void release() {
    const bool wanted = in_.integer("wait_for_tail_credit") != 0;
    const bool adaptive = worms_ && escapes_;
    if (worms_ && (wanted || adaptive)) out_.set("router", "vc_release", "credit");
    if (wanted == (worms_ && (wanted || adaptive)))
      all_.same("wait_for_tail_credit", worms_ ? "router.vc_release" : "a channel is free when the tail has left");
    else if (adaptive)
      all_.note("wait_for_tail_credit",
                "router.vc_release = \"credit\", which adaptive routes with escape channels need here");
    else
      all_.note("wait_for_tail_credit", "a channel is free when the tail has left");
  }

  void own_classes() {
    if (all_.wants_replies()) return;
    for (const char* const type : {"read_request", "write_request", "read_reply", "write_reply"}) {
      for (const char* const what : {"_begin_vc", "_end_vc", "_size"})
        all_.same(std::string(type) + what, "without use_read_write it has no effect");
    }
  }

  Conversion& all_;
  const Values& in_;
  TomlWriter& out_;
  Machine& machine_;
  std::vector<i64> lengths_;
  i64 speedup_ = 1;
  bool worms_ = true;     ///< wormhole switches, not switches of cells
  bool escapes_ = false;  ///< adaptive routes with escape channels
};

}  // namespace

void convert_router(Conversion& all, Machine& machine) { RouterConversion(all, machine).convert(); }

}  // namespace weft::tools::booksim
