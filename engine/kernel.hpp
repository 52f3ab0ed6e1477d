// The conservative kernel: two-phase ticks over the events of this rank, kept in step with other ranks by a protocol.
#pragma once

#include <bit>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"
#include "engine/crossing.hpp"
#include "engine/protocol.hpp"
#include "engine/protocol_null_message.hpp"
#include "engine/protocol_sequential.hpp"
#include "engine/protocol_windowed.hpp"
#include "engine/transport.hpp"
#include "engine/wheel.hpp"

// All of the model becomes part of the event loop, but what is marked as rare: left to itself, the compiler's choice of
// what to inline moves with every change, and the speed by up to 7 % with it. Not in debug builds, where it takes long.
#if defined(NDEBUG)
#define WEFT_ONE_LOOP [[gnu::flatten]]
#else
#define WEFT_ONE_LOOP
#endif

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

/// An event that asks for act() of its entity, and nothing else: models need no absorb() for it.
struct Touch {
  u32 entity;
};

/// What the kernel must know to run a part of a simulation.
struct KernelSpec {
  u32 entities = 0;                ///< entities of this process
  std::vector<RemoteEnd> remote;   ///< address.value - entities -> far end
  std::vector<u32> neighbours;     ///< ranks to agree with on the time, ascending; all that share a link with this one
  bool neighbours_are_all = true;  ///< every rank neighbours every other: no reduction needed to agree on the time
  std::vector<u32> linked;         ///< which of `neighbours`, by index, share a link with this one; empty: all of them
  Protocol protocol = Protocol::windowed;  ///< of several ranks; the same on all
  Tick lookahead = never;                  ///< least latency of the links that cross ranks
  Tick horizon = 256;                      ///< ticks that the wheels cover
};

/// Runs a Model, which provides
///   using Events = EventTypes<A, B...>   plain structs with a member `u32 entity`
///   void absorb(Tick, const A&)          phase one: updates that commute within the tick; may call touch()
///   void act(Tick, u32 entity)           phase two: once for every touched entity, seeing all of the tick's events
///   void prefetch(const A&), prefetch(u32 entity)
///                                        called some events, or activations, ahead: start to load what they touch
/// and, if it pays, prefetch_near(const A&) and prefetch_near(u32 entity, unsigned stage), called nearer to the time,
/// when what `prefetch` loaded has come and leads further; stages 0, then 1.
/// and, if it needs one, finish(), called at the end of phase two, to send what it still has to;
///   static constexpr bool one_loop = false
///                                        if it is not worth being compiled into the loop as a whole: slower to run,
///                                        faster to compile, with the same history
/// Events sent in phase two take effect at a later tick, so neither the order of the events of a tick nor the process
/// in which an entity lives can change the history.
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
        crossing_(spec_.neighbours.size()),
        windowed_(transport, spec_.neighbours, spec_.neighbours_are_all, spec_.lookahead),
        null_message_(transport, spec_.neighbours, spec_.neighbours_are_all, spec_.linked, spec_.lookahead),
        marks_((spec_.entities + 63) / 64),
        touched_(std::size_t{spec_.entities} + 1),
        in_order_from_(order_from(spec_.entities)) {}

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
    send_away(to, when, event, from);
  }

  /// Sends like `send` an event that fill(event) writes, every field but `entity`, where it is kept. (Fields that are
  /// changed in a copy are read again too soon for the processor to hand them on.)
  template <class E, class Fill>
  void send_filled(Address to, Tick when, u32 from, Fill&& fill) {
    if (to.value >= spec_.entities) [[unlikely]] {
      E event;
      fill(event);
      return send_away(to, when, event, from);
    }
    std::get<Wheel<E>>(wheels_).push_filled(when, [&](E& event) {
      fill(event);
      event.entity = to.value;
    });
  }

  /// Asks for act(now, entity) in this tick's second phase.
  void touch(u32 entity) {
    u64& word = marks_[entity >> 6];
    const u64 bit = u64{1} << (entity & 63);
    touched_[touched_count_] = entity;  // without a branch: whether it is touched already is as good as random
    touched_count_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }

  /// Runs all events before tick `until`. `exhausted`: no event is left anywhere. Collective.
  Outcome run(Tick until) {
    const Tick next = transport_.size() == 1                 ? SequentialProtocol::run(*this, until)
                      : spec_.protocol == Protocol::windowed ? windowed_.run(*this, until)
                                                             : null_message_.run(*this, until);
    upcoming_ = next;
    return next == never ? Outcome::exhausted : Outcome::reached;
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
  /// After a run: the earliest tick with an event on any rank; `never` if there is none.
  [[nodiscard]] Tick upcoming() const { return upcoming_; }
  [[nodiscard]] const KernelCounters& counters() const { return counters_; }
  [[nodiscard]] Tick lookahead() const { return spec_.lookahead; }
  [[nodiscard]] std::size_t bytes() const {
    return (std::get<Wheel<Event>>(wheels_).bytes() + ...) + marks_.capacity() * 8 + touched_.capacity() * 4;
  }

 private:
  /// Sends to another process; kept out of the models' functions, which are compiled into one large loop.
  template <class E>
  [[gnu::noinline]] void send_away(Address to, Tick when, E event, u32 from) {
    const RemoteEnd& end = spec_.remote[to.value - spec_.entities];
    if (when < now_ + spec_.lookahead) [[unlikely]]
      lookahead_violation(from, end, when);
    event.entity = end.entity;
    crossing_.add(end.neighbour, when, event);
  }

  friend class SequentialProtocol;
  friend class WindowedProtocol;
  friend class NullMessageProtocol;

  // For the protocols: see protocol.hpp.

  [[nodiscard]] Tick next() const {
    Tick next = never;
    ((next = std::min(next, std::get<Wheel<Event>>(wheels_).next())), ...);
    return next;
  }

  template <class F>
  bool run_before(Tick end, F&& after_tick) {
    const u64 before = counters_.ticks;
    for (Tick t = next(); t < end; t = next()) {
      run_tick(t);
      after_tick();
    }
    return counters_.ticks != before;
  }

  void promise(Tick tick) { promised_ = tick; }
  [[nodiscard]] KernelCounters& count() { return counters_; }
  [[nodiscard]] Tick earliest_crossing() const { return crossing_.earliest(); }

  void pack(std::size_t neighbour, const BatchHeader& header, std::vector<std::byte>& bytes) {
    const u64 events = crossing_.pack(neighbour, header, bytes);
    counters_.remote_messages += events;
    if (events == 0) ++counters_.null_messages;
  }

  BatchHeader unpack(const std::vector<std::byte>& bytes) {
    return Crossing<Event...>::unpack(bytes, [this]<class E>(Tick tick, const E& event) { schedule(tick, event); });
  }

  template <class E>
  void absorb_all(Tick t) {
    counters_.events += std::get<Wheel<E>>(wheels_).take(
        t,
        [this, t]([[maybe_unused]] const E& event) {
          if constexpr (std::is_same_v<E, Touch>) {
            touch(event.entity);
          } else {
            model_.absorb(t, event);
          }
        },
        [this](const E& event) {
          if constexpr (!std::is_same_v<E, Touch>) model_.prefetch(event);
        },
        [this]([[maybe_unused]] const E& event) {
          if constexpr (requires { model_.prefetch_near(event); }) model_.prefetch_near(event);
        });
  }

  /// Whether the model is compiled into the loop as a whole.
  static constexpr bool as_one_loop() {
    if constexpr (requires { Model::one_loop; }) return Model::one_loop;
    return true;
  }
  void run_tick(Tick t) {
    if constexpr (as_one_loop()) {
      run_tick_flat(t);
    } else {
      both_phases(t);
    }
  }
  WEFT_ONE_LOOP void run_tick_flat(Tick t) { both_phases(t); }

  void both_phases(Tick t) {
    now_ = t;
    (absorb_all<Event>(t), ...);
    const std::size_t count = touched_count_;
    if (count >= in_order_from_) order_touched();
    const u32* const touched = touched_.data();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 3 * act_lead < count) model_.prefetch(touched[i + 3 * act_lead]);
      if constexpr (requires { model_.prefetch_near(u32{}, 0U); }) {
        if (i + 2 * act_lead < count) model_.prefetch_near(touched[i + 2 * act_lead], 0);
        if (i + act_lead < count) model_.prefetch_near(touched[i + act_lead], 1);
      }
      const u32 entity = touched[i];
      model_.act(t, entity);
      marks_[entity >> 6] &= ~(u64{1} << (entity & 63));  // only now: what it touches of itself, it has just done
    }
    if constexpr (requires { model_.finish(); }) model_.finish();
    counters_.activations += count;
    ++counters_.ticks;
    touched_count_ = 0;
  }

  /// From how many on entities that act in a tick do so in order. Those of small networks are near in any order, unless
  /// they are large themselves (Model::large_entities).
  [[nodiscard]] static std::size_t order_from(std::size_t entities) {
    constexpr std::size_t one_in = 16, small = 8192;
    constexpr bool large_ones = requires { Model::large_entities; };
    return large_ones || entities >= small ? entities / one_in + 1 : ~std::size_t{0};
  }
  /// Puts them in ascending order, in which their state lies in memory.
  [[gnu::noinline]] void order_touched() {
    u32* to = touched_.data();
    for (std::size_t w = 0; w < marks_.size(); ++w) {
      for (u64 left = marks_[w]; left != 0; left &= left - 1)
        *to++ = static_cast<u32>(64 * w) + static_cast<u32>(std::countr_zero(left));
    }
  }

  [[noreturn]] void lookahead_violation(u32 from, const RemoteEnd& end, Tick when) const {
    throw Bug("lookahead violated: entity " + std::to_string(model_.global_id(from)) + " on rank " +
              std::to_string(transport_.rank()) + " at tick " + std::to_string(now_) + " sent to entity " +
              std::to_string(end.global) + " on rank " + std::to_string(spec_.neighbours[end.neighbour]) +
              " for tick " + std::to_string(when) + ", but that rank may already have run up to tick " +
              std::to_string(promised_) + "; a link's latency must be at least the lookahead of " +
              std::to_string(spec_.lookahead) + " ticks");
  }

  static constexpr std::size_t act_lead = 4;

  Model& model_;
  Transport& transport_;
  KernelSpec spec_;
  std::tuple<Wheel<Event>...> wheels_;
  Crossing<Event...> crossing_;
  WindowedProtocol windowed_;
  NullMessageProtocol null_message_;
  std::vector<u64> marks_;
  std::vector<u32> touched_;  ///< the first `touched_count_` are to act in this tick; one place more than entities
  std::size_t touched_count_ = 0;
  std::size_t in_order_from_;
  Tick now_ = 0, upcoming_ = 0;
  Tick promised_ = 0;  ///< other ranks rely on no event coming for an earlier tick
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
