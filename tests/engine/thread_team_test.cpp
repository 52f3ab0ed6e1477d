// Ranks that are threads: what they tell each other, and what becomes of all when one fails.
#include "engine/thread_team.hpp"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>

#include "engine/base/error.hpp"
#include "engine/random.hpp"
#include "tests/engine/thread_ranks.hpp"

namespace weft::engine {
namespace {

using testing::WorkOfTest;

void on_team(u32 threads, const std::function<void(Transport&)>& body) {
  WorkOfTest work(body);
  on_threads(*single_process(), threads, work);
}

/// A batch of so many bytes that says who sent it, to whom, and which one it is.
std::vector<std::byte> batch_of(u32 from, u32 to, u32 number, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t at = 0; at < size; ++at) {
    bytes[at] = static_cast<std::byte>(remix(from * 64 + to, number * 1'000'003ULL + at));
  }
  return bytes;
}

/// From none, over what shares a cache line and what fills a mailbox, to what is far too long for one.
std::size_t size_of(u32 from, u32 to, u32 number) {
  constexpr std::array<std::size_t, 8> sizes = {0, 1, 56, 57, 700, 8184, 20'000, 150'000};
  return sizes[remix(from, to * 1000 + number) % sizes.size()];
}

class ThreadTeam : public ::testing::TestWithParam<u32> {};

TEST_P(ThreadTeam, EachIsARankOfItsOwn) {
  std::vector<std::atomic<u32>> seen(GetParam());
  on_team(GetParam(), [&](Transport& team) {
    EXPECT_EQ(team.size(), GetParam());
    EXPECT_EQ(team.threads(), GetParam());
    ++seen[team.rank()];
  });
  for (const auto& times : seen) EXPECT_EQ(times, 1U);
}

TEST_P(ThreadTeam, ReducesAnyNumberOfValues) {
  on_team(GetParam(), [](Transport& team) {
    const u64 n = team.size();
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{14}, std::size_t{15}, std::size_t{100}}) {
      std::vector<u64> sums(count), least(count), most(count);
      for (std::size_t k = 0; k < count; ++k) sums[k] = least[k] = most[k] = team.rank() + k;
      team.sum(sums);
      team.min(least);
      team.max(most);
      for (std::size_t k = 0; k < count; ++k) {
        EXPECT_EQ(sums[k], n * (n - 1) / 2 + n * k);
        EXPECT_EQ(least[k], k);
        EXPECT_EQ(most[k], n - 1 + k);
      }
    }
  });
}

TEST_P(ThreadTeam, GathersAndBroadcasts) {
  on_team(GetParam(), [](Transport& team) {
    for (u32 round = 0; round < 50; ++round) {
      const auto all = team.gather(batch_of(team.rank(), 0, round, size_of(team.rank(), 0, round)));
      ASSERT_EQ(all.size(), team.rank() == 0 ? team.size() : 0U);
      for (u32 r = 0; r < all.size(); ++r) EXPECT_EQ(all[r], batch_of(r, 0, round, size_of(r, 0, round)));
      std::vector<std::byte> told = batch_of(team.rank(), 1, round, size_of(team.rank(), 1, round));
      team.broadcast(told);
      EXPECT_EQ(told, batch_of(0, 1, round, size_of(0, 1, round)));
      team.barrier();
    }
  });
}

TEST_P(ThreadTeam, BatchesOfAnyLengthComeInTheirOrder) {
  on_team(GetParam(), [](Transport& team) {
    std::vector<Batch> out, in;
    for (u32 r = 0; r < team.size(); ++r) {
      if (r == team.rank()) continue;
      out.push_back({r, {}});
      in.push_back({r, {}});
    }
    for (u32 round = 0; round < 60; ++round) {
      for (Batch& one : out) {
        one.bytes = batch_of(team.rank(), one.rank, round, size_of(team.rank(), one.rank, round));
      }
      if (round % 2 == 0) {
        team.exchange(out, in);
      } else {
        for (Batch& one : out) {
          team.post(one.rank, one.bytes);
          EXPECT_TRUE(one.bytes.empty());
        }
        for (Batch& one : in) team.receive(one);
        team.complete_sends();
      }
      for (const Batch& one : in) {
        EXPECT_EQ(one.bytes, batch_of(one.rank, team.rank(), round, size_of(one.rank, team.rank(), round)));
      }
    }
  });
}

TEST_P(ThreadTeam, AWriterThatIsAheadWaitsForRoom) {
  constexpr u32 batches = 100;
  on_team(GetParam(), [](Transport& team) {
    for (u32 k = 0; team.rank() != 0 && k < batches; ++k) {
      std::vector<std::byte> bytes = batch_of(team.rank(), 0, k, size_of(team.rank(), 0, k % 7));
      team.post(0, bytes);
    }
    for (u32 r = team.size() - 1; team.rank() == 0 && r > 0; --r) {
      Batch one{r, {}};
      for (u32 k = 0; k < batches; ++k) {
        team.receive(one);
        ASSERT_EQ(one.bytes, batch_of(r, 0, k, size_of(r, 0, k % 7)));
      }
    }
  });
}

TEST_P(ThreadTeam, AFailureEndsThoseThatWaitForIt) {
  for (u32 failing = 0; failing < GetParam(); ++failing) {
    std::atomic<u32> went_on = 0;
    const auto body = [&](Transport& team) {
      team.barrier();
      if (team.rank() == failing) throw std::runtime_error("rank " + std::to_string(failing));
      Batch one{failing, {}};
      team.receive(one);
      ++went_on;
    };
    try {
      on_team(GetParam(), body);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "rank " + std::to_string(failing));
    }
    EXPECT_EQ(went_on, 0U);
  }
}

TEST_P(ThreadTeam, OfSeveralFailuresTheLowestRankTells) {
  const auto body = [&](Transport& team) {
    team.barrier();
    throw ConfigError("rank " + std::to_string(team.rank()));
  };
  try {
    on_team(GetParam(), body);
    FAIL() << "nothing was thrown";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "rank 0");
  }
}

INSTANTIATE_TEST_SUITE_P(OfThreads, ThreadTeam, ::testing::Values(2, 3, 4, 7));

TEST(OneThread, IsTheProcessItself) {
  const auto process = single_process();
  WorkOfTest work([&](Transport& rank) { EXPECT_EQ(&rank, process.get()); });
  on_threads(*process, 1, work);
}

}  // namespace
}  // namespace weft::engine
