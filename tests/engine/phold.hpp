// PHOLD on a ring: tokens hop between neighbours with delays that depend on all that met in an entity, so that a single
// event in the wrong tick or place changes everything after it. The toy model of the kernel's tests.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/digest_sum.hpp"
#include "engine/kernel.hpp"
#include "engine/random.hpp"

namespace weft::engine::testing {

/// The entities of a ring that one part simulates, and the addresses of their neighbours.
class RingPart {
 public:
  RingPart(const std::vector<u32>& part_of, u32 mine, u32 parts)
      : part_of_(part_of), mine_(mine), local_(part_of.size()) {
    std::vector<u32> next(parts, 0);
    for (u32 g = 0; g < part_of.size(); ++g) {
      local_[g] = next[part_of[g]]++;
      if (part_of[g] == mine) globals_.push_back(g);
    }
    spec_.entities = static_cast<u32>(globals_.size());
    for (u32 part = 0; part < parts; ++part) {
      if (part != mine) spec_.neighbours.push_back(part);
    }
  }
  [[nodiscard]] u32 global(u32 local) const { return globals_[local]; }
  [[nodiscard]] u32 entities() const { return spec_.entities; }
  [[nodiscard]] u32 ring() const { return static_cast<u32>(part_of_.size()); }
  /// Address of the entity `steps` to the right (left if negative) of local entity `local`.
  Address beside(u32 local, i32 steps) {
    const u32 g = static_cast<u32>((static_cast<i64>(globals_[local]) + steps + ring()) % ring());
    if (part_of_[g] == mine_) return {local_[g]};
    spec_.remote.push_back({part_of_[g] < mine_ ? part_of_[g] : part_of_[g] - 1, local_[g], g});
    return {spec_.entities + static_cast<u32>(spec_.remote.size()) - 1};
  }
  /// To be called when all addresses have been given out.
  [[nodiscard]] KernelSpec spec(Tick lookahead, Protocol protocol = Protocol::windowed, Tick horizon = 64) const {
    KernelSpec result = spec_;
    result.protocol = protocol;
    result.lookahead = lookahead;
    result.horizon = horizon;
    return result;
  }

 private:
  std::vector<u32> part_of_;
  u32 mine_;
  std::vector<u32> local_, globals_;
  KernelSpec spec_;
};

/// What a rank of a ring knows of the others: nothing, who shares a link with it, or only them.
enum class Known { nothing, links, links_only };

/// `spec` with less or more known; for models that send both ways over every link.
inline KernelSpec with_known(KernelSpec spec, Known known) {
  if (known == Known::nothing) return spec;
  std::vector<u32> linked;
  for (const RemoteEnd& end : spec.remote) linked.push_back(end.neighbour);
  std::ranges::sort(linked);
  linked.erase(std::ranges::unique(linked).begin(), linked.end());
  if (known == Known::links) {
    spec.linked = linked;
    return spec;
  }
  for (RemoteEnd& end : spec.remote) {
    end.neighbour = static_cast<u32>(std::ranges::lower_bound(linked, end.neighbour) - linked.begin());
  }
  for (u32& neighbour : linked) neighbour = spec.neighbours[neighbour];
  spec.neighbours = linked;
  spec.neighbours_are_all = false;
  return spec;
}

/// Contiguous blocks, or dealt out in turn.
inline std::vector<u32> ring_parts(u32 entities, u32 parts, bool blocks) {
  std::vector<u32> part(entities);
  for (u32 g = 0; g < entities; ++g) part[g] = blocks ? g * parts / entities : g % parts;
  return part;
}

struct PholdSpec {
  u32 entities = 64;
  u32 tokens_per_entity = 2;
  Tick latency = 1;       ///< of every link
  Tick spread = 4;        ///< delays are latency + 0..spread-1
  u32 sleep_one_in = 32;  ///< chance that a token sleeps beyond the wheel's horizon before it goes on
  Tick sleep = 5000;
  u64 seed = 1;
  Protocol protocol = Protocol::windowed;
  Known known = Known::nothing;
};

/// `OneLoop`: whether the kernel compiles it into its loop as a whole.
template <bool OneLoop>
class PholdModel {
 public:
  static constexpr bool one_loop = OneLoop;
  struct Token {
    u32 entity, id, hop;
  };
  struct Alarm {
    u32 entity, id, hop;
  };
  using Events = EventTypes<Alarm, Token>;

  PholdModel(const PholdSpec& spec, RingPart& part)
      : spec_(spec), part_(part), state_(part.entities()), held_(part.entities()) {
    for (u32 e = 0; e < part.entities(); ++e) {
      left_.push_back(part.beside(e, -1));
      right_.push_back(part.beside(e, 1));
    }
  }
  void attach(Kernel<PholdModel>& kernel) {
    kernel_ = &kernel;
    for (u32 e = 0; e < part_.entities(); ++e) {
      for (u32 k = 0; k < spec_.tokens_per_entity; ++k) {
        kernel.schedule(k, Token{e, part_.global(e) * spec_.tokens_per_entity + k, 0});
      }
    }
  }
  void prefetch(const Token&) const {}
  void prefetch(const Alarm&) const {}
  void prefetch(u32) const {}
  void absorb(Tick, const Token& token) { hold(token); }
  void absorb(Tick, const Alarm& alarm) { hold({alarm.entity, alarm.id, alarm.hop}); }
  void act(Tick tick, u32 entity) {
    u64 sum = 0;
    for (const Token& token : held_[entity]) sum += remix(token.id, token.hop);
    state_[entity] = remix(state_[entity] ^ tick, sum);
    digest_.add(part_.global(entity), tick, state_[entity]);
    for (const Token& token : held_[entity]) forward(tick, entity, token);
    held_[entity].clear();
  }
  [[nodiscard]] u32 global_id(u32 entity) const { return part_.global(entity); }
  [[nodiscard]] const Digest& digest() const { return digest_; }

 private:
  void hold(const Token& token) {
    held_[token.entity].push_back(token);
    kernel_->touch(token.entity);
  }
  void forward(Tick tick, u32 entity, const Token& token) {
    const u64 bits = random_bits(spec_.seed, token.id, state_[entity] + token.hop, Use::test);
    if (scale_to(bits, spec_.sleep_one_in) == 0) {
      return kernel_->schedule(tick + spec_.sleep, Alarm{entity, token.id, token.hop + 1});
    }
    const Tick delay = spec_.latency + scale_to(remix(bits, 0), static_cast<u32>(spec_.spread));
    kernel_->send((bits & 1) != 0 ? left_[entity] : right_[entity], tick + delay, Token{0, token.id, token.hop + 1},
                  entity);
  }

  PholdSpec spec_;
  RingPart& part_;
  Kernel<PholdModel>* kernel_ = nullptr;
  std::vector<u64> state_;
  std::vector<std::vector<Token>> held_;
  std::vector<Address> left_, right_;
  Digest digest_;
};

using Phold = PholdModel<true>;

/// What a run of PHOLD gives, summed over the ranks.
struct PholdResult {
  Digest digest;
  u64 events = 0;
};

/// Runs PHOLD until `ticks`, in `legs` pieces. Collective; the same result on every rank.
template <class Model = Phold>
PholdResult run_phold(const PholdSpec& spec, Transport& transport, bool blocks, Tick ticks, u32 legs = 1) {
  RingPart part(ring_parts(spec.entities, transport.size(), blocks), transport.rank(), transport.size());
  Model model(spec, part);
  Kernel<Model> kernel(model, transport, with_known(part.spec(spec.latency, spec.protocol), spec.known));
  model.attach(kernel);
  for (u32 leg = 1; leg <= legs; ++leg) kernel.run(ticks * leg / legs);
  PholdResult result{sum_of_ranks(transport, model.digest()), kernel.counters().events};
  transport.sum({&result.events, 1});
  return result;
}

}  // namespace weft::engine::testing
