// The line to a process through shared memory; a thread is the process here.
#include "tools/cosim/process/channel_link.hpp"

#include <gtest/gtest.h>
#include <thread>

#include "engine/base/error.hpp"
#include "tools/cosim/process/shared_memory.hpp"

namespace weft::tools::cosim {
namespace {

Board board_for(u32 tasks) {
  Board board;
  board.sign = channel_sign;
  board.tasks = tasks;
  return board;
}

/// As the library in a process does it, but that it spins.
void say(Channel& channel, const Command& command) {
  const u32 written = channel.written.load();
  while (written - channel.taken.load() == Channel::capacity) std::this_thread::yield();
  channel.commands[written % Channel::capacity] = command;
  channel.written.store(written + 1);
}

void never_look(double /*waited_s*/) {}

TEST(ChannelLinks, StepsComeInOrderHoweverMoreThereAreThanTheChannelHolds) {
  const SharedMemory memory(board_for(3));
  Channel& channel = memory.channel(2);
  ChannelLink link(channel, 1000, never_look);
  constexpr u64 steps = 5 * Channel::capacity + 7;
  std::thread process([&] {
    for (u64 k = 0; k < steps; ++k) say(channel, {.kind = CommandKind::send, .bytes = k * k});
  });
  u64 wrong = 0;
  for (u64 k = 0; k < steps; ++k) wrong += link.take().bytes == k * k ? 0U : 1U;
  process.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(ChannelLinks, AnAnswerIsWholeWhenItIsSeen) {
  const SharedMemory memory(board_for(1));
  Channel& channel = memory.channel(0);
  ChannelLink link(channel, 1000, never_look);
  const std::vector<Completion> told = {{.request = 3, .source = 1, .number = 2, .bytes = 40}, {.request = 5}};
  u64 bytes = 0;
  std::thread process([&] {
    say(channel, {.kind = CommandKind::tell});
    while (channel.answered.load(std::memory_order_acquire) == 0) std::this_thread::yield();
    bytes = channel.completions[0].bytes + channel.completions[1].request + channel.answer.now_ps;
  });
  EXPECT_EQ(link.take().kind, CommandKind::tell);
  link.answer({.now_ps = 1000, .completions = 2}, told);
  process.join();
  EXPECT_EQ(bytes, 1045U);
}

TEST(ChannelLinks, WhoeverWaitsLooksAroundAndMayGiveUp) {
  const SharedMemory memory(board_for(1));
  u32 looks = 0;
  ChannelLink link(memory.channel(0), 1000, [&](double waited_s) {
    EXPECT_GE(waited_s, 0);
    if (++looks == 3) throw StuckError("it is gone");
  });
  EXPECT_THROW((void)link.take(), StuckError);
  EXPECT_EQ(looks, 3U);
}

TEST(ChannelLinks, OthersOpenTheMemoryByItsPath) {
  const SharedMemory memory(board_for(4));
  const SharedMemory same(memory.path(), 4);
  say(memory.channel(3), {.kind = CommandKind::send, .bytes = 77});
  EXPECT_EQ(ChannelLink(same.channel(3), 1000, never_look).take().bytes, 77U);
  EXPECT_THROW(SharedMemory("/proc/self/fd/nothing", 4), SystemError);
}

}  // namespace
}  // namespace weft::tools::cosim
