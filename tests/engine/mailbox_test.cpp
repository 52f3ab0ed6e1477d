// Batches by mailbox: contents, order, those that are too large, full mailboxes, two threads.
#include "engine/mailbox.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace weft::engine {
namespace {

constexpr std::size_t batch_bytes = 100;

struct alignas(64) Line {
  std::byte bytes[64];
};

/// Memory that both ends see, and an end for each of them.
struct BothEnds {
  std::unique_ptr<Line[]> memory = std::make_unique<Line[]>(Mailbox::bytes_for(batch_bytes) / sizeof(Line));
  Mailbox writer{memory[0].bytes, batch_bytes}, reader{memory[0].bytes, batch_bytes};
};

/// A batch whose bytes tell its number.
std::vector<std::byte> numbered(u32 number, std::size_t bytes) {
  std::vector<std::byte> made(bytes);
  for (std::size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::byte>(number * 7 + i);
  return made;
}

TEST(Mailbox, HandsOverBatchesOfAnyLengthThatFits) {
  BothEnds ends;
  std::vector<std::byte> got{std::byte{1}};
  EXPECT_EQ(ends.reader.take(got), Mailbox::Found::nothing);
  EXPECT_EQ(got.size(), 1U) << "what is not there replaces nothing";
  for (u32 number = 0; number <= batch_bytes; ++number) {
    ASSERT_EQ(ends.writer.put(numbered(number, number)), Mailbox::Put::done);
    ASSERT_EQ(ends.reader.take(got), Mailbox::Found::batch);
    ASSERT_EQ(got, numbered(number, number));
    ASSERT_EQ(ends.reader.take(got), Mailbox::Found::nothing);
  }
}

TEST(Mailbox, TellsOfBatchesThatAreTooLargeInTheirTurn) {
  BothEnds ends;
  std::vector<std::byte> got;
  EXPECT_EQ(ends.writer.put(numbered(1, 10)), Mailbox::Put::done);
  EXPECT_EQ(ends.writer.put(numbered(2, batch_bytes + 1)), Mailbox::Put::too_large);
  EXPECT_EQ(ends.writer.put(numbered(3, 30)), Mailbox::Put::done);
  EXPECT_EQ(ends.reader.take(got), Mailbox::Found::batch);
  EXPECT_EQ(got, numbered(1, 10));
  EXPECT_EQ(ends.reader.take(got), Mailbox::Found::elsewhere);
  EXPECT_EQ(ends.reader.take(got), Mailbox::Found::batch);
  EXPECT_EQ(got, numbered(3, 30));
}

TEST(Mailbox, HasRoomForSomeAndLosesNone) {
  BothEnds ends;
  std::vector<std::byte> got;
  u32 put = 0, taken = 0;
  while (ends.writer.put(numbered(put, 50)) == Mailbox::Put::done) ++put;
  EXPECT_GE(put, 4U) << "who is ahead must not wait at once";
  ASSERT_EQ(ends.reader.take(got), Mailbox::Found::batch);
  ++taken;
  EXPECT_EQ(ends.writer.put(numbered(put, 50)), Mailbox::Put::done) << "one was taken";
  ++put;
  EXPECT_EQ(ends.writer.put(numbered(put, 50)), Mailbox::Put::full);
  for (; ends.reader.take(got) == Mailbox::Found::batch; ++taken) EXPECT_EQ(got, numbered(taken, 50));
  EXPECT_EQ(taken, put);
}

TEST(Mailbox, FitsIntoTheMemoryThatItIsMadeFor) {
  EXPECT_EQ(Mailbox::batch_bytes_in(0), 0U);
  EXPECT_EQ(Mailbox::batch_bytes_in(1000), 0U) << "not worth it";
  for (std::size_t bytes = 4096; bytes < (1U << 20); bytes += bytes / 3) {
    const std::size_t longest = Mailbox::batch_bytes_in(bytes);
    ASSERT_GT(longest, 0U);
    EXPECT_LE(Mailbox::bytes_for(longest), bytes);
    EXPECT_EQ(Mailbox::bytes_for(longest) % 64, 0U);
  }
}

TEST(Mailbox, KeepsOrderAndContentsBetweenThreads) {
  constexpr u32 count = 200'000;
  BothEnds ends;
  std::thread writer([&] {
    for (u32 number = 0; number < count; ++number) {
      while (ends.writer.put(numbered(number, number % (batch_bytes + 20))) == Mailbox::Put::full)
        std::this_thread::yield();
    }
  });
  u32 wrong = 0;
  std::vector<std::byte> got;
  for (u32 number = 0; number < count; ++number) {
    Mailbox::Found found = ends.reader.take(got);
    for (; found == Mailbox::Found::nothing; found = ends.reader.take(got)) std::this_thread::yield();
    const std::size_t bytes = number % (batch_bytes + 20);
    if (bytes > batch_bytes) {
      wrong += found != Mailbox::Found::elsewhere;
    } else {
      wrong += found != Mailbox::Found::batch || got != numbered(number, bytes);
    }
  }
  writer.join();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace weft::engine
