// The conservative kernel: two-phase ticks, windows of one lookahead between exchanges, idle time jumped over.
#pragma once

#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/error.hpp"
#include "engine/transport.hpp"
#include "engine/types.hpp"
#include "engine/wheel.hpp"

namespace weft::engine {

/// The event types of a model, in the order in which they are absorbed within a tick.
template <class... Event>
struct EventTypes {};

/// Where a link leads: an entity of this process or the far end of a link that leaves it. Given out by the Layout.
struct Address {
  u32 value = 0;
};

/// The far end of a link whose other entity lives elsewhere.
struct RemoteEnd {
  u32 neighbour = 0;  ///< index into the list of neighbour ranks
  u32 entity = 0;     ///< local index of the entity over there
  u32 global = 0;     ///< its number in the whole simulation, for messages
};

/// What the kernel must know to run a part of a simulation.
struct KernelSpec {
  u32 entities = 0;                ///< entities of this process
  std::vector<RemoteEnd> remote;   ///< address.value - entities -> far end
  std::vector<u32> neighbours;     ///< ranks that share a link with this one, ascending
  bool neighbours_are_all = true;  ///< every rank neighbours every other: no reduction needed to agree on the time
  Tick lookahead = never;          ///< least latency of the links that cross ranks
  Tick horizon = 256;              ///< ticks that the wheels cover
};

struct KernelCounters {
  u64 events = 0, activations = 0, windows = 0, ticks = 0, remote_messages = 0;
};

/// Runs a Model, which provides
///   using Events = EventTypes<A, B...>   plain structs with a member `u32 entity`
///   void absorb(Tick, const A&)          phase one: updates that commute within the tick; may call touch()
///   void act(Tick, u32 entity)           phase two: once for every touched entity, seeing all of the tick's events
///   void prefetch(const A&), prefetch(u32 entity)   called some events, or activations, ahead: start to load what they touch
/// and, if it pays, prefetch_near(const A&) and prefetch_near(u32 entity, unsigned stage), called nearer to the time, when
/// what `prefetch` loaded has come and leads further; stages 0, then 1.
/// Events sent in phase two take effect at a later tick, so neither the order of the events of a tick nor the process in
/// which an entity lives can change the history.
template <class Model>
class Kernel;

template <class Model, class... Event>
class KernelBase {
 public:
  enum class Outcome { reached, exhausted };

  KernelBase(Model& model, Transport& transport, KernelSpec spec)
      : model_(model),
        transport_(transport),
        spec_(std::move(spec)),
        wheels_(Wheel<Event>(spec_.horizon)...),
        outboxes_(spec_.neighbours.size()),
        marks_((spec_.entities + 63) / 64) {
    for (const u32 rank : spec_.neighbours) {
      out_.push_back({rank, {}});
      in_.push_back({rank, {}});
    }
    if (transport_.size() == 1) window_end_ = never;
  }

  /// Adds an event of this process for tick `when` >= now.
  template <class E>
  void schedule(Tick when, const E& event) {
    std::get<Wheel<E>>(wheels_).push(when, event);
  }

  /// Sends `event` over a link so that it takes effect at `when`; `from` is the sending entity (for messages only).
  /// Throws Bug if `when` breaks the promise of the link's latency.
  template <class E>
  void send(Address to, Tick when, E event, u32 from) {
    if (to.value < spec_.entities) [[likely]] {
      event.entity = to.value;
      std::get<Wheel<E>>(wheels_).push(when, event);
      return;
    }
    const RemoteEnd& end = spec_.remote[to.value - spec_.entities];
    if (when < now_ + spec_.lookahead) [[unlikely]]
      lookahead_violation(from, end, when);
    event.entity = end.entity;
    std::get<std::vector<Timed<E>>>(outboxes_[end.neighbour]).push_back({when, event});
  }

  /// Asks for act(now, entity) in this tick's second phase.
  void touch(u32 entity) {
    u64& word = marks_[entity >> 6];
    const u64 bit = u64{1} << (entity & 63);
    if ((word & bit) == 0) {
      word |= bit;
      touched_.push_back(entity);
    }
  }

  /// Runs all events before tick `until`. `exhausted`: no event is left anywhere. Collective.
  Outcome run(Tick until) {
    if (transport_.size() == 1) return run_alone(until);
    synchronise();
    while (global_next_ < until) {
      window_end_ = spec_.lookahead < until - global_next_ ? global_next_ + spec_.lookahead : until;
      for (Tick t = local_next(); t < window_end_; t = local_next()) tick(t);
      ++counters_.windows;
      synchronise();
    }
    return global_next_ == never ? Outcome::exhausted : Outcome::reached;
  }

  /// Between runs: calls f(tick, event) for all pending events of this process, type by type.
  template <class F>
  void for_each_pending(F&& f) const {
    (std::get<Wheel<Event>>(wheels_).for_each(f), ...);
  }
  /// Goes on at `tick` instead of 0; nothing must have been scheduled.
  void start_at(Tick tick) {
    now_ = tick;
    (std::get<Wheel<Event>>(wheels_).start_at(tick), ...);
  }

  [[nodiscard]] Tick now() const { return now_; }
  [[nodiscard]] const KernelCounters& counters() const { return counters_; }
  [[nodiscard]] Tick lookahead() const { return spec_.lookahead; }
  [[nodiscard]] std::size_t bytes() const {
    return (std::get<Wheel<Event>>(wheels_).bytes() + ...) + marks_.capacity() * 8 + touched_.capacity() * 4;
  }

 private:
  template <class E>
  struct Timed {
    Tick tick;
    E event;
  };
  using Outbox = std::tuple<std::vector<Timed<Event>>...>;
  static constexpr std::size_t types = sizeof...(Event);
  struct ParcelHead {
    Tick next;
    u32 counts[types];
  };

  Outcome run_alone(Tick until) {
    for (;;) {
      const Tick next = local_next();
      if (next >= until) return next == never ? Outcome::exhausted : Outcome::reached;
      tick(next);
      ++counters_.windows;
    }
  }

  [[nodiscard]] Tick local_next() const {
    Tick next = never;
    ((next = std::min(next, std::get<Wheel<Event>>(wheels_).next())), ...);
    return next;
  }

  template <class E>
  void absorb_all(Tick t) {
    counters_.events += std::get<Wheel<E>>(wheels_).take(
        t, [this, t](const E& event) { model_.absorb(t, event); }, [this](const E& event) { model_.prefetch(event); },
        [this]([[maybe_unused]] const E& event) {
          if constexpr (requires { model_.prefetch_near(event); }) model_.prefetch_near(event);
        });
  }

  void tick(Tick t) {
    now_ = t;
    (absorb_all<Event>(t), ...);
    const std::size_t count = touched_.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 3 * act_lead < count) model_.prefetch(touched_[i + 3 * act_lead]);
      if constexpr (requires { model_.prefetch_near(u32{}, 0U); }) {
        if (i + 2 * act_lead < count) model_.prefetch_near(touched_[i + 2 * act_lead], 0);
        if (i + act_lead < count) model_.prefetch_near(touched_[i + act_lead], 1);
      }
      const u32 entity = touched_[i];
      model_.act(t, entity);
      marks_[entity >> 6] &= ~(u64{1} << (entity & 63));  // only now: what it touches of itself, it has just done
    }
    counters_.activations += count;
    ++counters_.ticks;
    touched_.clear();
  }

  /// Exchanges what crossed and agrees on the earliest tick with work anywhere.
  void synchronise() {
    Tick next = local_next();
    for (Outbox& outbox : outboxes_) {
      std::apply([&next](auto&... list) { ((next = earliest(next, list)), ...); }, outbox);
    }
    for (std::size_t i = 0; i < out_.size(); ++i) pack(outboxes_[i], next, out_[i].bytes);
    transport_.exchange(out_, in_);
    for (Parcel& parcel : in_) next = std::min(next, unpack(parcel));
    if (!spec_.neighbours_are_all) transport_.min({&next, 1});
    global_next_ = next;
  }

  template <class List>
  static Tick earliest(Tick so_far, const List& list) {
    for (const auto& timed : list) so_far = std::min(so_far, timed.tick);
    return so_far;
  }

  void pack(Outbox& outbox, Tick next, std::vector<std::byte>& bytes) {
    ParcelHead head{next, {}};
    std::size_t size = sizeof head, type = 0;
    std::apply(
        [&](auto&... list) {
          ((head.counts[type++] = static_cast<u32>(list.size()), size += list.size() * sizeof(list[0])), ...);
        },
        outbox);
    bytes.resize(size);
    std::memcpy(bytes.data(), &head, sizeof head);
    std::byte* at = bytes.data() + sizeof head;
    std::apply(
        [&](auto&... list) {
          ((counters_.remote_messages += list.size(),
            list.empty() ? void(0) : void(std::memcpy(at, list.data(), list.size() * sizeof(list[0]))),
            at += list.size() * sizeof(list[0]), list.clear()),
           ...);
        },
        outbox);
  }

  Tick unpack(const Parcel& parcel) {
    ParcelHead head;
    WEFT_ASSERT(parcel.bytes.size() >= sizeof head);
    std::memcpy(&head, parcel.bytes.data(), sizeof head);
    const std::byte* at = parcel.bytes.data() + sizeof head;
    std::size_t type = 0;
    ((at = unpack_list<Event>(at, head.counts[type++])), ...);
    return head.next;
  }

  template <class E>
  const std::byte* unpack_list(const std::byte* at, u32 count) {
    for (u32 i = 0; i < count; ++i, at += sizeof(Timed<E>)) {
      Timed<E> timed;
      std::memcpy(&timed, at, sizeof timed);
      std::get<Wheel<E>>(wheels_).push(timed.tick, timed.event);
    }
    return at;
  }

  [[noreturn]] void lookahead_violation(u32 from, const RemoteEnd& end, Tick when) const {
    throw Bug("lookahead violated: entity " + std::to_string(model_.global_id(from)) + " on rank " +
              std::to_string(transport_.rank()) + " at tick " + std::to_string(now_) + " sent to entity " +
              std::to_string(end.global) + " on rank " + std::to_string(spec_.neighbours[end.neighbour]) +
              " for tick " + std::to_string(when) + ", but that rank may already have run up to tick " +
              std::to_string(window_end_) + "; a link's latency must be at least the lookahead of " +
              std::to_string(spec_.lookahead) + " ticks");
  }

  static constexpr std::size_t act_lead = 2;

  Model& model_;
  Transport& transport_;
  KernelSpec spec_;
  std::tuple<Wheel<Event>...> wheels_;
  std::vector<Outbox> outboxes_;
  std::vector<Parcel> out_, in_;
  std::vector<u64> marks_;
  std::vector<u32> touched_;
  Tick now_ = 0, window_end_ = 0, global_next_ = 0;
  KernelCounters counters_;
};

namespace detail {
template <class Model, class Types>
struct KernelOf;
template <class Model, class... Event>
struct KernelOf<Model, EventTypes<Event...>> {
  using type = KernelBase<Model, Event...>;
};
}  // namespace detail

template <class Model>
class Kernel : public detail::KernelOf<Model, typename Model::Events>::type {
 public:
  Kernel(Model& model, Transport& transport, KernelSpec spec)
      : detail::KernelOf<Model, typename Model::Events>::type(model, transport, std::move(spec)) {}
};

}  // namespace weft::engine
