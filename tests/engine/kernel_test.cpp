// The kernel: known histories of toy models, and the promises it enforces.
#include "engine/kernel.hpp"

#include <gtest/gtest.h>
#include <mutex>
#include <string>

#include "tests/engine/phold.hpp"
#include "tests/engine/protocols.hpp"
#include "tests/engine/thread_ranks.hpp"

namespace weft::engine {
namespace {

using testing::name;
using testing::protocols;
using testing::ring_parts;
using testing::RingPart;
using testing::run_ranks;

/// One token travels to the right for ever; entity k is visited at ticks (k + n * ring) * latency.
class Relay {
 public:
  struct Token {
    u32 entity;
  };
  struct Note {
    u32 entity;
  };
  using Events = EventTypes<Note, Token>;

  Relay(RingPart& part, Tick latency) : part_(part), latency_(latency), visits(part.entities()) {
    for (u32 e = 0; e < part.entities(); ++e) right_.push_back(part.beside(e, 1));
  }
  void attach(Kernel<Relay>& kernel, Tick start = 0) {
    kernel_ = &kernel;
    for (u32 e = 0; e < part_.entities(); ++e) {
      if (part_.global(e) == 0) kernel.schedule(start, Token{e});
    }
  }
  void prefetch(const Token&) const {}
  void prefetch(const Note&) const {}
  void prefetch(u32) const {}
  void absorb(Tick tick, const Token& token) {
    visits[token.entity].push_back(tick);
    kernel_->touch(token.entity);
    kernel_->touch(token.entity);  // asked for twice, acts once
  }
  void absorb(Tick, const Note&) { ++notes; }
  void act(Tick tick, u32 entity) {
    ++acts;
    if (hops_left-- > 0) kernel_->send(right_[entity], tick + latency_, Token{}, entity);
    kernel_->schedule(tick + 1, Note{entity});
  }
  [[nodiscard]] u32 global_id(u32 entity) const { return part_.global(entity); }

 private:
  RingPart& part_;
  Tick latency_;
  std::vector<Address> right_;
  Kernel<Relay>* kernel_ = nullptr;

 public:
  std::vector<std::vector<Tick>> visits;  ///< [local entity]
  u64 acts = 0, notes = 0;
  i64 hops_left = i64{1} << 60;
};

std::vector<Tick> expected_visits(u32 entity, u32 ring, Tick latency, Tick until) {
  std::vector<Tick> ticks;
  for (Tick t = entity * latency; t < until; t += ring * latency) ticks.push_back(t);
  return ticks;
}

using Outcome = Kernel<Relay>::Outcome;

TEST(Kernel, OneTokenOnARingVisitsEveryEntityAtTheKnownTicks) {
  for (const Tick latency : {1, 3, 100, 1000}) {
    RingPart part(ring_parts(10, 1, true), 0, 1);
    Relay model(part, latency);
    const auto transport = single_process();
    Kernel<Relay> kernel(model, *transport, part.spec(never));
    model.attach(kernel);
    const Tick until = 95 * latency;
    EXPECT_EQ(kernel.run(until), Outcome::reached);
    for (u32 e = 0; e < 10; ++e) EXPECT_EQ(model.visits[e], expected_visits(e, 10, latency, until));
    EXPECT_EQ(model.acts, 95U);
    EXPECT_EQ(kernel.counters().activations, 95U);
    EXPECT_EQ(kernel.counters().events, 95 + model.notes);
    EXPECT_EQ(kernel.counters().remote_messages, 0U);
  }
}

TEST(Kernel, EventsAtTheEndOfARunBelongToTheNext) {
  RingPart part(ring_parts(4, 1, true), 0, 1);
  Relay model(part, 5);
  const auto transport = single_process();
  Kernel<Relay> kernel(model, *transport, part.spec(never));
  model.attach(kernel);
  kernel.run(15);
  EXPECT_TRUE(model.visits[3].empty());
  kernel.run(16);
  EXPECT_EQ(model.visits[3], std::vector<Tick>{15});
  EXPECT_EQ(kernel.now(), 15U);
}

TEST(Kernel, IdleTimeIsJumpedOver) {
  RingPart part(ring_parts(4, 1, true), 0, 1);
  Relay model(part, 1'000'000);
  const auto transport = single_process();
  Kernel<Relay> kernel(model, *transport, part.spec(never));
  model.attach(kernel);
  kernel.run(100'000'000);
  EXPECT_EQ(model.acts, 100U);
  EXPECT_LE(kernel.counters().ticks, 200U);  // each visit and the note after it
}

TEST(Kernel, IdleTimeIsJumpedOverByAllRanksTogether) {
  for (const Protocol protocol : protocols) {
    run_ranks(3, [protocol](Transport& transport) {
      RingPart part(ring_parts(6, 3, true), transport.rank(), 3);
      Relay model(part, 1'000'000);
      Kernel<Relay> kernel(model, transport, part.spec(10, protocol));  // promises less than the links have
      model.attach(kernel);
      EXPECT_EQ(kernel.run(60'000'000), Outcome::reached);
      EXPECT_LE(kernel.counters().windows, 130U) << name(protocol);
      EXPECT_LE(kernel.counters().null_messages, 260U) << name(protocol);  // two neighbours
      for (u32 e = 0; e < part.entities(); ++e) {
        EXPECT_EQ(model.visits[e], expected_visits(part.global(e), 6, 1'000'000, 60'000'000)) << name(protocol);
      }
    });
  }
}

TEST(Kernel, ARunWithoutEventsLeftIsExhaustedAndOneWithLaterEventsIsReached) {
  RingPart part(ring_parts(4, 1, true), 0, 1);
  Relay model(part, 5);
  model.hops_left = 2;
  const auto transport = single_process();
  Kernel<Relay> kernel(model, *transport, part.spec(never));
  EXPECT_EQ(kernel.run(100), Outcome::exhausted);  // nothing was scheduled
  model.attach(kernel);
  EXPECT_EQ(kernel.run(10), Outcome::reached);
  EXPECT_EQ(kernel.run(11), Outcome::reached);  // the last note is still to come
  EXPECT_EQ(kernel.run(12), Outcome::exhausted);
  EXPECT_EQ(kernel.run(never), Outcome::exhausted);
}

TEST(Kernel, RanksAgreeOnExhaustedAndReached) {
  for (const Protocol protocol : protocols) {
    run_ranks(2, [protocol](Transport& transport) {
      RingPart part(ring_parts(4, 2, true), transport.rank(), 2);
      Relay model(part, 5);
      model.hops_left = 1;  // per rank: 0 -> 1 and, if it came that far, 2 -> 3
      Kernel<Relay> kernel(model, transport, part.spec(5, protocol));
      EXPECT_EQ(kernel.run(100), Outcome::exhausted);
      model.attach(kernel);
      EXPECT_EQ(kernel.run(5), Outcome::reached);
      EXPECT_EQ(kernel.run(never), Outcome::exhausted);
    });
  }
}

TEST(Kernel, RanksWithoutACutLinkRunToTheEnd) {
  // No link crosses, so the lookahead is unlimited: one rank has the whole ring, the other nothing.
  for (const Protocol protocol : protocols) {
    run_ranks(
        2,
        [protocol](Transport& transport) {
          RingPart part(std::vector<u32>(4, 0), transport.rank(), 2);
          Relay model(part, 5);
          model.hops_left = 100;
          Kernel<Relay> kernel(model, transport, part.spec(never, protocol));
          model.attach(kernel);
          EXPECT_EQ(kernel.run(200), Outcome::reached);
          EXPECT_EQ(kernel.run(never), Outcome::exhausted);
          EXPECT_EQ(model.acts, transport.rank() == 0 ? 101U : 0U);
        },
        1000);
  }
}

TEST(Kernel, AMessageThatBreaksTheLookaheadIsABugThatNamesBothSides) {
  for (const Protocol protocol : protocols) {
    try {
      run_ranks(2, [protocol](Transport& transport) {
        RingPart part(ring_parts(6, 2, true), transport.rank(), 2);
        Relay model(part, 7);
        Kernel<Relay> kernel(model, transport, part.spec(14, protocol));  // promises twice what the links have
        model.attach(kernel);
        kernel.run(1000);
      });
      FAIL() << "a message for a tick that may have been executed went unnoticed: " << name(protocol);
    } catch (const Bug& bug) {
      const std::string text = bug.what();
      for (const char* part : {"entity 2 on rank 0", "at tick 14", "entity 3 on rank 1", "for tick 21", "up to tick 28",
                               "lookahead of 14"}) {
        EXPECT_NE(text.find(part), std::string::npos) << "missing '" << part << "' in: " << text;
      }
    }
  }
}

TEST(Kernel, AMessageThatJustKeepsTheLookaheadIsAccepted) {
  for (const Protocol protocol : protocols) {
    for (const u32 ranks : {2U, 3U, 6U}) {
      run_ranks(ranks, [&](Transport& transport) {
        RingPart part(ring_parts(6, ranks, true), transport.rank(), ranks);
        Relay model(part, 7);
        Kernel<Relay> kernel(model, transport, part.spec(7, protocol));
        model.attach(kernel);
        kernel.run(1000);
        for (u32 e = 0; e < part.entities(); ++e) {
          EXPECT_EQ(model.visits[e], expected_visits(part.global(e), 6, 7, 1000)) << name(protocol);
        }
      });
    }
  }
}

TEST(Kernel, HopsOverACutAreCountedAsRemoteMessages) {
  for (const Protocol protocol : protocols) {
    std::mutex mutex;
    u64 remote = 0, null_messages = 0, exchanges = 0;
    run_ranks(2, [&](Transport& transport) {
      RingPart part(ring_parts(6, 2, true), transport.rank(), 2);
      Relay model(part, 1);
      Kernel<Relay> kernel(model, transport, part.spec(1, protocol));
      model.attach(kernel);
      kernel.run(60);
      const std::lock_guard lock(mutex);
      remote += kernel.counters().remote_messages;
      null_messages += kernel.counters().null_messages;
      exchanges = kernel.counters().exchanges;
    });
    EXPECT_EQ(remote, 20U) << name(protocol);  // 60 hops, two of six cross
    // Each rank sends a message before the first tick and after each, 20 of which carry the token.
    EXPECT_EQ(null_messages, 2 * 61U - 20U) << name(protocol);
    // Agreements: windowed as many; epochs double as long as the token, which half of the ticks are not here, keeps
    // a rank busy for three ticks out of four.
    if (protocol == Protocol::windowed) {
      EXPECT_EQ(exchanges, 61U);
    } else {
      EXPECT_LT(exchanges, 61U);
    }
  }
}

/// Touches itself in phase two, which must not keep it from acting in later ticks.
class Selfish {
 public:
  struct Ping {
    u32 entity;
  };
  using Events = EventTypes<Ping>;
  void attach(Kernel<Selfish>& kernel) { kernel_ = &kernel; }
  void prefetch(const Ping&) const {}
  void prefetch(u32) const {}
  void absorb(Tick, const Ping& e) { kernel_->touch(e.entity); }
  void act(Tick tick, u32 entity) {
    ++acts;
    kernel_->touch(entity);
    if (tick < 10) kernel_->schedule(tick + 1, Ping{entity});
  }
  [[nodiscard]] u32 global_id(u32 entity) const { return entity; }
  u32 acts = 0;

 private:
  Kernel<Selfish>* kernel_ = nullptr;
};

TEST(Kernel, AnEntityThatTouchesItselfWhileItActsActsOncePerTickAndAgainLater) {
  Selfish model;
  const auto transport = single_process();
  KernelSpec spec;
  spec.entities = 3;
  Kernel<Selfish> kernel(model, *transport, spec);
  model.attach(kernel);
  for (u32 e = 0; e < 3; ++e) kernel.schedule(0, Selfish::Ping{e});
  EXPECT_EQ(kernel.run(never), Kernel<Selfish>::Outcome::exhausted);
  EXPECT_EQ(model.acts, 33U);
}

/// Has no event of its own.
struct Touched {
  using Events = EventTypes<Touch>;
  void prefetch(u32) const {}
  void act(Tick tick, u32 entity) { acts.emplace_back(tick, entity); }
  [[nodiscard]] u32 global_id(u32 entity) const { return entity; }
  std::vector<std::pair<Tick, u32>> acts;
};

TEST(Kernel, ATouchLetsItsEntityActInItsTick) {
  Touched model;
  const auto transport = single_process();
  KernelSpec spec;
  spec.entities = 3;
  Kernel<Touched> kernel(model, *transport, spec);
  kernel.schedule(400, Touch{2});
  kernel.schedule(3, Touch{1});
  kernel.schedule(3, Touch{1});  // acts once
  EXPECT_EQ(kernel.run(never), Kernel<Touched>::Outcome::exhausted);
  EXPECT_EQ(model.acts, (std::vector<std::pair<Tick, u32>>{{3, 1}, {400, 2}}));
  EXPECT_EQ(kernel.counters().events, 3U);
}

/// Records in which order the phases of a tick come, with two event types.
class Recorder {
 public:
  struct First {
    u32 entity;
  };
  struct Second {
    u32 entity;
  };
  using Events = EventTypes<First, Second>;
  void attach(Kernel<Recorder>& kernel) { kernel_ = &kernel; }
  void prefetch(const First&) const {}
  void prefetch(const Second&) const {}
  void prefetch(u32) const {}
  void absorb(Tick, const First& e) { note('1', e.entity); }
  void absorb(Tick, const Second& e) { note('2', e.entity); }
  void act(Tick, u32) { log += 'a'; }
  [[nodiscard]] u32 global_id(u32 entity) const { return entity; }
  std::string log;

 private:
  void note(char kind, u32 entity) {
    log += kind;
    kernel_->touch(entity);
  }
  Kernel<Recorder>* kernel_ = nullptr;
};

TEST(Kernel, ATickAbsorbsAllItsEventsTypeByTypeBeforeAnybodyActs) {
  Recorder model;
  const auto transport = single_process();
  KernelSpec spec;
  spec.entities = 100;
  Kernel<Recorder> kernel(model, *transport, spec);
  model.attach(kernel);
  for (u32 e = 0; e < 3; ++e) {
    kernel.schedule(4, Recorder::Second{e});
    kernel.schedule(4, Recorder::First{70 + e});
    kernel.schedule(4, Recorder::First{e});
  }
  kernel.schedule(5, Recorder::First{99});
  kernel.run(10);
  EXPECT_EQ(model.log, "111111222aaaaaa1a");
}

}  // namespace
}  // namespace weft::engine
