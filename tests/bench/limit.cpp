// What the engine can do at best: the kernel with the events of the network model and no router in it. Every packet-hop
// is an Arrival (24 bytes), a Release and a Credit (8 bytes each), an entity is one cache line, tokens walk at random
// over a torus.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "engine/base/prefetch.hpp"
#include "engine/kernel.hpp"
#include "engine/random.hpp"

namespace weft::engine {
namespace {

constexpr Tick link_ticks = 1, packet_ticks = 16;
constexpr u32 most_ports = 6, slots = 3;

/// Torus of up to three dimensions; port 2d goes up in dimension d, 2d + 1 down.
struct Torus {
  std::vector<u32> dims;

  [[nodiscard]] u32 nodes() const {
    u32 product = 1;
    for (const u32 size : dims) product *= size;
    return product;
  }
  [[nodiscard]] u32 ports() const { return 2 * static_cast<u32>(dims.size()); }
  [[nodiscard]] u32 neighbour(u32 node, u32 port) const {
    u32 stride = 1;
    for (u32 d = 0; d < port / 2; ++d) stride *= dims[d];
    const u32 size = dims[port / 2], here = node / stride % size;
    const u32 there = port % 2 == 0 ? (here + 1) % size : (here + size - 1) % size;
    return node + there * stride - here * stride;
  }
};

u32 direction(u32 token, u32 hop, u32 ports) { return scale_to(remix(token, hop), ports); }
u32 start_node(u64 token, u64 tokens, u32 nodes) { return static_cast<u32>(token * nodes / tokens); }

class Walk {
 public:
  struct Release {
    u32 entity, port;
  };
  struct Arrival {
    u32 entity, input, token, hop;
    u64 payload;
  };
  struct Credit {
    u32 entity, output;
  };
  using Events = EventTypes<Release, Arrival, Credit>;

  explicit Walk(const Torus& torus) : ports_(torus.ports()), states_(torus.nodes()) {
    for (u32 e = 0; e < states_.size(); ++e) {
      for (u32 p = 0; p < ports_; ++p) states_[e].peer[p] = Address{torus.neighbour(e, p)};
    }
  }
  void start(Kernel<Walk>& kernel, u32 tokens) {
    kernel_ = &kernel;
    for (u32 t = 0; t < tokens; ++t) {
      kernel.schedule(0, Arrival{start_node(t, tokens, static_cast<u32>(states_.size())), 0, t, 0, 0});
    }
  }

  void prefetch(const Release& e) const { prefetch(e.entity); }
  void prefetch(const Arrival& e) const { prefetch(e.entity); }
  void prefetch(const Credit& e) const { prefetch(e.entity); }
  void prefetch(u32 entity) const { engine::prefetch(&states_[entity]); }

  void absorb(Tick, const Release& e) { ++states_[e.entity].releases; }
  void absorb(Tick, const Credit& e) { ++states_[e.entity].credits; }
  void absorb(Tick tick, const Arrival& e) {
    State& state = states_[e.entity];
    ++state.arrivals;
    payload_ += e.payload;
    const Held token{e.token, e.hop << 3 | e.input};
    if (state.held == slots) return forward(tick, e.entity, state, token);  // rare: four at once
    state.waiting[state.held++] = token;
    kernel_->touch(e.entity);
  }
  void act(Tick tick, u32 entity) {
    State& state = states_[entity];
    for (u32 i = 0; i < state.held; ++i) forward(tick, entity, state, state.waiting[i]);
    state.held = 0;
  }
  [[nodiscard]] u32 global_id(u32 entity) const { return entity; }

  struct Totals {
    u64 arrivals = 0, releases = 0, credits = 0;
    u64 digest = 0;  ///< of how often every entity was visited
  };
  [[nodiscard]] Totals totals() const {
    Totals sum;
    for (u32 e = 0; e < states_.size(); ++e) {
      sum.arrivals += states_[e].arrivals;
      sum.releases += states_[e].releases;
      sum.credits += states_[e].credits;
      sum.digest += remix(e, states_[e].arrivals);
    }
    return sum;
  }
  [[nodiscard]] u64 payload() const { return payload_; }
  [[nodiscard]] std::size_t bytes() const { return states_.size() * sizeof(State); }

 private:
  struct Held {
    u32 token, hop_and_input;
  };
  struct alignas(64) State {
    Address peer[most_ports];
    u32 arrivals = 0, releases = 0, credits = 0, held = 0;
    Held waiting[slots] = {};
  };
  static_assert(sizeof(State) == 64);

  void forward(Tick tick, u32 entity, const State& state, Held held) {
    const u32 hop = held.hop_and_input >> 3, input = held.hop_and_input & 7;
    const u32 port = direction(held.token, hop, ports_);
    kernel_->send(state.peer[port], tick + link_ticks, Arrival{0, port, held.token, hop + 1, tick}, entity);
    kernel_->schedule(tick + packet_ticks, Release{entity, port});
    kernel_->send(state.peer[input ^ 1U], tick + link_ticks, Credit{0, input}, entity);
  }

  u32 ports_;
  Kernel<Walk>* kernel_ = nullptr;
  std::vector<State> states_;
  u64 payload_ = 0;
};

/// Digest of the walk without an engine: every token on its own.
u64 reference_digest(const Torus& torus, u32 tokens, Tick ticks) {
  std::vector<u32> visits(torus.nodes());
  for (u32 t = 0; t < tokens; ++t) {
    u32 node = start_node(t, tokens, torus.nodes());
    for (u32 hop = 0; hop < ticks; ++hop) {
      ++visits[node];
      node = torus.neighbour(node, direction(t, hop, torus.ports()));
    }
  }
  u64 digest = 0;
  for (u32 e = 0; e < visits.size(); ++e) digest += remix(e, visits[e]);
  return digest;
}

double user_cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

struct Outcome {
  Walk::Totals totals;
  u64 events = 0;
  double cpu_s = 0;
  std::size_t bytes = 0;
};

Outcome run(const Torus& torus, u32 tokens, Tick ticks) {
  Walk walk(torus);
  const auto transport = single_process();
  KernelSpec spec;
  spec.entities = torus.nodes();
  Kernel<Walk> kernel(walk, *transport, spec);
  walk.start(kernel, tokens);
  const double begin = user_cpu_s();
  kernel.run(ticks);
  Outcome outcome;
  outcome.cpu_s = user_cpu_s() - begin;
  outcome.totals = walk.totals();
  outcome.events = kernel.counters().events;
  outcome.bytes = walk.bytes() + kernel.bytes();
  // No token may be lost or doubled: each hops every tick, and each hop is released and credited when its time has
  // come.
  const u64 hops = u64{tokens} * ticks, released = ticks > packet_ticks ? u64{tokens} * (ticks - packet_ticks) : 0;
  WEFT_ASSERT(outcome.totals.arrivals == hops);
  WEFT_ASSERT(outcome.totals.releases == released);
  WEFT_ASSERT(outcome.totals.credits == u64{tokens} * (ticks - link_ticks));
  WEFT_ASSERT(outcome.events == hops + outcome.totals.releases + outcome.totals.credits);
  WEFT_ASSERT(walk.payload() == u64{tokens} * ((ticks - 1) * (ticks - 2) / 2));
  return outcome;
}

/// A small walk whose digest is pinned and computed in two ways.
void check_answer() {
  constexpr u64 pinned = 0xc41a6f9eb5aa3687;
  const Torus torus{{8, 6, 4}};
  WEFT_ASSERT(reference_digest(torus, 200, 300) == pinned);
  WEFT_ASSERT(run(torus, 200, 300).totals.digest == pinned);
}

Torus parse_dims(const std::string& text) {
  Torus torus;
  const char* at = text.c_str();
  for (;;) {
    char* end = nullptr;
    const unsigned long size = std::strtoul(at, &end, 10);
    if (end == at || size < 2 || size > 65536) throw ConfigError("dims '" + text + "' are not like 64x64 or 64x32x32");
    torus.dims.push_back(static_cast<u32>(size));
    if (*end == '\0') break;
    if (*end != 'x') throw ConfigError("dims '" + text + "' are not like 64x64 or 64x32x32");
    at = end + 1;
  }
  if (torus.ports() > most_ports)
    throw ConfigError("dims '" + text + "' are more than three (an entity is one cache line)");
  return torus;
}

int main_with(int argc, char** argv) {
  if (argc != 4) throw ConfigError("usage: limit DIMS TOKENS_PER_NODE TICKS, e.g. limit 64x64 0.2 2000");
  const Torus torus = parse_dims(argv[1]);
  const double per_node = std::strtod(argv[2], nullptr);
  const Tick ticks = std::strtoull(argv[3], nullptr, 10);
  const double wanted = std::round(per_node * torus.nodes());
  if (!(wanted >= 1) || wanted > 1e8 || ticks < 2 || ticks > 100'000'000) {
    throw ConfigError("nothing to do (" + std::to_string(wanted) + " tokens, " + std::to_string(ticks) +
                      " ticks); use 1 to 1e8 tokens and 2 to 1e8 ticks");
  }
  check_answer();
  const u32 tokens = static_cast<u32>(wanted);
  const Outcome o = run(torus, tokens, ticks);
  const double hops = static_cast<double>(tokens) * static_cast<double>(ticks);
  std::printf(
      "{\"nodes\": %u, \"tokens\": %u, \"ticks\": %llu, \"packet_hops\": %.0f, \"events\": %llu, \"cpu_s\": %.4f, "
      "\"packet_hops_per_s\": %.0f, \"events_per_s\": %.0f, \"bytes_per_node\": %.1f, \"digest\": \"%016llx\"}\n",
      torus.nodes(), tokens, static_cast<unsigned long long>(ticks), hops, static_cast<unsigned long long>(o.events),
      o.cpu_s, o.cpu_s > 0 ? hops / o.cpu_s : 0, o.cpu_s > 0 ? static_cast<double>(o.events) / o.cpu_s : 0,
      static_cast<double>(o.bytes) / torus.nodes(), static_cast<unsigned long long>(o.totals.digest));
  return 0;
}

}  // namespace
}  // namespace weft::engine

int main(int argc, char** argv) {
  try {
    return weft::engine::main_with(argc, argv);
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "limit: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "limit: wrong answer or bug: %s\n", error.what());
    return 1;
  }
}
