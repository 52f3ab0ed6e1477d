// The kernel: one history of PHOLD for every number of ranks, protocol and partition.
#include <gtest/gtest.h>

#include "engine/kernel.hpp"
#include "tests/engine/phold.hpp"
#include "tests/engine/protocols.hpp"
#include "tests/engine/thread_ranks.hpp"

namespace weft::engine {
namespace {

using testing::Known;
using testing::name;
using testing::Phold;
using testing::PholdModel;
using testing::PholdSpec;
using testing::protocols;
using testing::ring_parts;
using testing::RingPart;
using testing::run_phold;
using testing::run_ranks;
using testing::with_known;

TEST(Kernel, PholdHasOneHistoryForEveryNumberOfRanksAndEveryPartition) {
  for (const Tick latency : {1, 5, 40}) {
    PholdSpec spec;
    spec.entities = 40;
    spec.latency = latency;
    const Tick ticks = 300 * latency;
    const auto alone = run_phold(spec, *single_process(), true, ticks);
    EXPECT_GT(alone.events, 1000U);
    for (const Protocol protocol : protocols) {
      spec.protocol = protocol;
      for (const u32 ranks : {2U, 3U, 4U, 7U}) {
        for (const bool blocks : {true, false}) {
          run_ranks(ranks, [&](Transport& transport) {
            const auto result = run_phold(spec, transport, blocks, ticks);
            EXPECT_EQ(result.digest.hex(), alone.digest.hex())
                << ranks << " ranks, latency " << latency << ", " << name(protocol);
            EXPECT_EQ(result.events, alone.events);
          });
        }
      }
    }
  }
}

TEST(Kernel, PholdHasOneHistoryIfRanksTalkOnlyToThoseTheyShareALinkWith) {
  PholdSpec spec;
  spec.entities = 60;
  for (const Tick latency : {1, 7}) {
    spec.latency = latency;
    spec.known = Known::nothing;
    const auto alone = run_phold(spec, *single_process(), true, 600 * latency);
    for (const Protocol protocol : protocols) {
      for (const Known known : {Known::links, Known::links_only}) {
        spec.protocol = protocol;
        spec.known = known;
        run_ranks(6, [&](Transport& transport) {  // six blocks in a ring: each has links with two others
          EXPECT_EQ(run_phold(spec, transport, true, 600 * latency, 3).digest, alone.digest) << name(protocol);
        });
      }
    }
  }
}

TEST(Kernel, NullMessagesAgreeSeldomWhileAllTicksAreBusyAndWithEveryWindowWhenTheyAreNot) {
  PholdSpec spec;
  spec.entities = 60;
  spec.sleep_one_in = 1U << 30;  // nobody sleeps
  for (const Known known : {Known::nothing, Known::links}) {
    run_ranks(5, [&](Transport& transport) {
      RingPart part(ring_parts(spec.entities, 5, true), transport.rank(), 5);
      Phold model(spec, part);
      Kernel<Phold> kernel(model, transport, with_known(part.spec(1, Protocol::null_message), known));
      model.attach(kernel);
      kernel.run(1000);
      const KernelCounters& c = kernel.counters();
      EXPECT_EQ(c.windows, 1000U);
      EXPECT_LE(c.exchanges, 1000U / 64 + 8);
      // A message per tick to each that it shares a link with, or to all if it does not know, and to all per agreement.
      const u64 most = 1000 * (known == Known::links ? 2 : 4) + 4 * c.exchanges;
      EXPECT_LE(c.null_messages, most);
      EXPECT_GE(c.null_messages, most - 4 * c.exchanges - c.remote_messages);
    });
  }
}

TEST(Kernel, ARunInPiecesHasTheHistoryOfTheWholeRun) {
  PholdSpec spec;
  spec.entities = 30;
  spec.latency = 3;
  const auto whole = run_phold(spec, *single_process(), true, 2000);
  EXPECT_EQ(run_phold(spec, *single_process(), true, 2000, 7).digest, whole.digest);
  for (const Protocol protocol : protocols) {
    spec.protocol = protocol;
    run_ranks(3, [&](Transport& transport) {
      EXPECT_EQ(run_phold(spec, transport, true, 2000, 7).digest, whole.digest) << name(protocol);
    });
  }
}

TEST(Kernel, AModelThatIsNotCompiledIntoTheLoopHasTheSameHistory) {
  PholdSpec spec;
  spec.entities = 30;
  const auto flat = run_phold(spec, *single_process(), true, 2000);
  const auto calls = run_phold<PholdModel<false>>(spec, *single_process(), true, 2000);
  EXPECT_EQ(calls.digest, flat.digest);
  EXPECT_EQ(calls.events, flat.events);
  for (const Protocol protocol : protocols) {
    spec.protocol = protocol;
    run_ranks(3, [&](Transport& transport) {
      EXPECT_EQ(run_phold<PholdModel<false>>(spec, transport, true, 2000).digest, flat.digest) << name(protocol);
    });
  }
}

TEST(Kernel, AnotherSeedGivesAnotherHistory) {
  PholdSpec spec;
  const auto one = run_phold(spec, *single_process(), true, 500);
  spec.seed = 2;
  EXPECT_NE(run_phold(spec, *single_process(), true, 500).digest, one.digest);
}

}  // namespace
}  // namespace weft::engine
