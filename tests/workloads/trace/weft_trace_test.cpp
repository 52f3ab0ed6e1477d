// What weft's tracer writes, put together by hand: events of each kind of record, and what is said of damaged files.
// Traces of programs: tests/tracer.
#include <cstring>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/trace/format/weft/weft_records.hpp"
#include "workloads/trace/store/trace_store.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {
namespace {

using RecordKind = records::Kind;

/// Records of a block or of definitions.
class RecordBlockText {
 public:
  RecordBlockText& kind(RecordKind kind, unsigned flags = 0) {
    bytes_ += static_cast<char>(static_cast<unsigned>(kind) | flags);
    ++count;
    return *this;
  }
  RecordBlockText& number(u64 value) {
    u8 buffer[records::most_varint_bytes];
    bytes_.append(reinterpret_cast<const char*>(buffer),
                  static_cast<std::size_t>(records::put(buffer, value) - buffer));
    return *this;
  }
  RecordBlockText& numbers(std::initializer_list<u64> values) {
    for (const u64 value : values) number(value);
    return *this;
  }
  RecordBlockText& signed_number(i64 value) { return number(records::zigzag(value)); }
  /// Communicator, peer, tag, bytes.
  RecordBlockText& message(u32 communicator, i64 peer, i64 tag, u64 bytes) {
    return number(u64{communicator} * 2).signed_number(peer).signed_number(tag).number(bytes);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  u32 count = 0;

 private:
  std::string bytes_;
};

struct RankText {
  u32 rank = 0, ranks = 2;
  bool has_inner = true;
  records::State state = records::State::complete;
  std::vector<RecordBlockText> definitions, blocks;

  [[nodiscard]] std::string text() const {
    std::string all;
    u32 number = 0;
    for (const RecordBlockText& each : definitions) append(all, records::BlockKind::definitions, number++, each);
    number = 0;
    for (const RecordBlockText& each : blocks) append(all, records::BlockKind::records, number++, each);
    records::FileHeader header = {};
    std::memcpy(header.magic, records::file_magic, sizeof header.magic);
    header.header_bytes = sizeof header;
    header.rank = rank;
    header.ranks = ranks;
    header.has_inner = has_inner ? 1 : 0;
    header.state = state;
    header.block_bytes = 4096;
    header.blocks = definitions.size() + blocks.size();
    header.end_ns = 2'000'000;
    header.lost = 17;
    header.error = state == records::State::cannot_write ? 28 : 0;
    header.checksum = records::sum_of(header);
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + all;
  }

 private:
  static void append(std::string& all, records::BlockKind kind, u32 number, const RecordBlockText& block) {
    records::BlockHeader header = {};
    header.magic = records::block_magic;
    header.kind = kind;
    header.bytes = static_cast<u32>(block.bytes().size());
    header.records = block.count;
    header.number = number;
    header.checksum = records::sum_of(header, block.bytes().data());
    all.append(reinterpret_cast<const char*>(&header), sizeof header);
    all += block.bytes();
  }
};

std::vector<TraceEvent> events_of(const RankText& rank, const std::string& format = "weft") {
  const auto reader = reader_of(rank.text(), format);
  std::vector<TraceEvent> events;
  for (TraceRecord record; reader->next(record);) events.push_back(record.event);
  return events;
}

std::string rejection_of(const std::string& text) {
  return error_of<InputError>([&] {
    const auto reader = reader_of(text, "weft");
    for (TraceRecord record; reader->next(record);) continue;
  });
}

TEST(WeftTrace, ReadsMessagesRequestsAndWhatCameForAnyone) {
  RankText rank;
  rank.blocks.emplace_back()
      .kind(RecordKind::ireceive)
      .numbers({100, 10})
      .message(0, -1, -1, 500)
      .signed_number(77)
      .kind(RecordKind::send, records::special)
      .numbers({50, 20})
      .message(0, 1, 9, 30)
      .kind(RecordKind::wait)
      .numbers({5, 1000, 0, 41})
      .signed_number(1)
      .signed_number(3)
      .kind(RecordKind::wait)
      .numbers({0, 0, 200, 1})
      .signed_number(0)
      .signed_number(0);  // of something unknown
  const auto events = events_of(rank);
  ASSERT_EQ(3u, events.size());
  EXPECT_EQ(TraceEvent::Kind::ireceive, events[0].kind);
  EXPECT_EQ(TraceEvent::any, events[0].peer);
  EXPECT_EQ(TraceEvent::any, events[0].tag);
  EXPECT_EQ(100u, events[0].begin_ns);
  EXPECT_EQ(110u, events[0].end_ns);
  EXPECT_TRUE(events[1].synchronous);
  EXPECT_EQ(1u, events[1].peer);
  EXPECT_EQ(160u, events[1].begin_ns);
  EXPECT_EQ(TraceEvent::Kind::wait, events[2].kind);
  EXPECT_EQ(events[0].request, events[2].request);
  EXPECT_EQ(1u, events[2].peer);
  EXPECT_EQ(3u, events[2].tag);
  EXPECT_EQ(40u, events[2].bytes);
}

TEST(WeftTrace, OfACancelledReceiveNothingIsWaitedFor) {
  RankText rank;
  rank.blocks.emplace_back()
      .kind(RecordKind::ireceive)
      .numbers({100, 10})
      .message(0, -1, -1, 500)
      .signed_number(77)
      .kind(RecordKind::wait)
      .numbers({5, 40, 0, 1})
      .signed_number(records::any)
      .signed_number(-1)
      .kind(RecordKind::wait)
      .numbers({5, 40, 0, 1})  // it is over
      .signed_number(records::any)
      .signed_number(-1);
  const auto events = events_of(rank);
  ASSERT_EQ(3u, events.size());
  EXPECT_EQ(TraceEvent::Kind::ireceive, events[0].kind);
  // The time that the call took is no computing.
  EXPECT_EQ(TraceEvent::Kind::enter, events[1].kind);
  EXPECT_EQ(115u, events[1].begin_ns);
  EXPECT_EQ(TraceEvent::Kind::leave, events[2].kind);
  EXPECT_EQ(155u, events[2].end_ns);
}

TEST(WeftTrace, PersistentRequestsAreStartedAsOftenAsTheProgramDoes) {
  RankText rank;
  rank.blocks.emplace_back()
      .kind(RecordKind::send_init)
      .numbers({0, 0})
      .message(0, 1, 4, 6)
      .signed_number(5)
      .kind(RecordKind::start)
      .numbers({1, 1})
      .signed_number(0)
      .kind(RecordKind::wait)
      .numbers({1, 1, 0, 1, 0, 0})
      .kind(RecordKind::start)
      .numbers({1, 1})
      .signed_number(0)
      .kind(RecordKind::wait)
      .numbers({1, 1, 0, 1, 0, 0})
      .kind(RecordKind::forget)
      .numbers({1})
      .signed_number(0)
      .kind(RecordKind::start)
      .numbers({1, 1})
      .signed_number(0);
  const auto events = events_of(rank);
  ASSERT_EQ(4u, events.size());
  EXPECT_EQ(TraceEvent::Kind::isend, events[0].kind);
  EXPECT_EQ(TraceEvent::Kind::isend, events[2].kind);
  EXPECT_EQ(6u, events[2].bytes);
  EXPECT_EQ(events[2].request, events[3].request);
  EXPECT_NE(events[0].request, events[2].request);
}

RankText with_a_broadcast() {
  RankText rank;
  rank.blocks.emplace_back()
      .kind(RecordKind::collective)
      .numbers({10, 1, 0, 4, 64, 0, 0, 0})  // MPI_Bcast, root 1
      .kind(RecordKind::ireceive, records::inner)
      .numbers({1, 0})
      .message(0, 1, -17, 64)
      .signed_number(3)
      .kind(RecordKind::send, records::inner)
      .numbers({5, 0})
      .message(0, 1, -17, 64)
      .kind(RecordKind::leave)
      .number(20);
  return rank;
}

TEST(WeftTrace, ACollectiveCallIsItsMessagesOrOneEvent) {
  const auto messages = events_of(with_a_broadcast());
  ASSERT_EQ(5u, messages.size());
  EXPECT_EQ(TraceEvent::Kind::enter, messages[0].kind);
  EXPECT_EQ(TraceEvent::Kind::ireceive, messages[1].kind);
  EXPECT_EQ(17u, messages[1].tag);
  EXPECT_EQ(1u, messages[1].communicator);  // that of the library, beside all tasks
  EXPECT_EQ(TraceEvent::Kind::send, messages[2].kind);
  EXPECT_EQ(TraceEvent::Kind::wait, messages[3].kind);  // its completion was not seen
  EXPECT_EQ(messages[1].request, messages[3].request);
  EXPECT_EQ(TraceEvent::Kind::leave, messages[4].kind);
  const auto calls = events_of(with_a_broadcast(), "weft-calls");
  ASSERT_EQ(1u, calls.size());
  EXPECT_EQ(Collective::broadcast, calls[0].operation);
  EXPECT_EQ(1u, calls[0].root);
  EXPECT_EQ(64u, calls[0].bytes);
  EXPECT_EQ(10u, calls[0].begin_ns);
  EXPECT_EQ(36u, calls[0].end_ns);
  RankText without = with_a_broadcast();
  without.has_inner = false;
  EXPECT_EQ(calls, events_of(without));
}

TEST(WeftTrace, PeersAreTasksOfTheWholeTrace) {
  RankText rank;
  rank.rank = 2;
  rank.ranks = 8;
  // Communicator 2 is {6, 2}; 3 is between {2} and {1, 5}.
  rank.definitions.emplace_back().numbers({1, 2, 0, 2}).signed_number(6).signed_number(-5).number(0);
  rank.definitions.emplace_back().numbers({1, 3, 2, 1}).signed_number(2).number(2).signed_number(1).signed_number(3);
  rank.blocks.emplace_back()
      .kind(RecordKind::send)
      .numbers({0, 0})
      .message(2, 0, 1, 1)
      .kind(RecordKind::send)
      .numbers({0, 0})
      .message(3, 1, 1, 1)
      .kind(RecordKind::send)
      .numbers({0, 0})
      .message(2, 1, 1, 1);  // to itself
  const auto trace = open_trace(input_of(rank.text()), "weft");
  const auto communicators = trace.source->communicators();
  const auto events = events_of(rank);
  ASSERT_EQ(2u, events.size());
  EXPECT_EQ(6u, events[0].peer);
  EXPECT_EQ((std::vector<u32>{6, 2}), communicators[events[0].communicator].members);
  EXPECT_EQ(5u, events[1].peer);
  EXPECT_EQ((std::vector<u32>{1, 5, 2}), communicators[events[1].communicator].members);
}

TEST(WeftTrace, WhatWasNotRecordedIsNoComputing) {
  RankText rank;
  rank.blocks.emplace_back()
      .kind(RecordKind::send)
      .numbers({10, 10})
      .message(0, 1, 1, 1)
      .kind(RecordKind::resume)
      .number(5000)
      .kind(RecordKind::send)
      .numbers({10, 10})
      .message(0, 1, 1, 1);
  const auto events = events_of(rank);
  ASSERT_EQ(4u, events.size());
  EXPECT_EQ(20u, events[1].begin_ns);
  EXPECT_EQ(5020u, events[2].begin_ns);
  EXPECT_EQ(5030u, events[3].begin_ns);
  EXPECT_TRUE(open_trace(input_of(rank.text()), "weft").source->names()[events[1].name].is_call);
}

TEST(WeftTrace, RecordingsThatEndEarlySayWhatIsMissing) {
  RankText rank;
  rank.blocks.resize(2);
  for (RecordBlockText& block : rank.blocks) block.kind(RecordKind::send).numbers({10, 10}).message(0, 1, 1, 1);
  rank.state = records::State::recording;
  std::string text = rank.text();
  text.resize(text.size() - 2);  // inside of the second block
  const auto killed = open_trace(input_of(text), "weft");
  ASSERT_EQ(1u, killed.source->notes().size());
  EXPECT_NE(std::string::npos, killed.source->notes()[0].find("after 1 blocks and 45 bytes of one that is not whole"));
  TraceRecord record;
  const auto reader = killed.source->open(0);
  EXPECT_TRUE(reader->next(record));
  EXPECT_FALSE(reader->next(record));
  rank.state = records::State::cannot_write;
  const auto full = open_trace(input_of(rank.text()), "weft");
  EXPECT_EQ("rank 0: recorded until 0.002000 s; the 17 records after that are missing (No space left on device)",
            full.source->notes().at(0));
  rank.state = records::State::complete;
  text = rank.text();
  text.resize(text.size() - 2);
  EXPECT_EQ("t.trc: byte 244: the file ends inside of a block", rejection_of(text));
}

TEST(WeftTrace, DamageIsToldWithItsPlace) {
  RankText rank;
  rank.blocks.emplace_back().kind(RecordKind::send).numbers({10, 10}).message(0, 1, 1, 1);
  std::string text = rank.text();
  text.back() ^= 1;
  EXPECT_EQ("t.trc: byte 152: the block is damaged (its checksum differs)", rejection_of(text));
  text = rank.text();
  text[20] ^= 1;
  EXPECT_EQ("t.trc: byte 0: the header is damaged (its checksum differs)", rejection_of(text));
  text = rank.text();
  text[152] ^= 1;
  EXPECT_EQ("t.trc: byte 152: here should begin a block", rejection_of(text));
  const auto of = [](const RecordBlockText& block) {
    RankText damaged;
    damaged.blocks.push_back(block);
    return rejection_of(damaged.text());
  };
  RecordBlockText block;
  EXPECT_EQ("t.trc: byte 192: rank 5 of a communicator of 2 ranks",
            of(block.kind(RecordKind::send).numbers({1, 1}).message(0, 5, 1, 1)));
  block = {};
  EXPECT_EQ("t.trc: byte 192: communicator 9 is not defined",
            of(block.kind(RecordKind::send).numbers({1, 1}).message(9, 1, 1, 1)));
  block = {};
  EXPECT_EQ("t.trc: byte 192: a record of kind 30; expected 1..16", of(block.kind(RecordKind{30})));
  block = {};
  EXPECT_NE(std::string::npos, of(block.kind(RecordKind::leave).number(1)).find("a call ends that has not begun"));
  block = {};
  EXPECT_NE(std::string::npos,
            of(block.kind(RecordKind::mark).number(1).signed_number(5)).find("mark 5 is not defined"));
  block = {};
  block.kind(RecordKind::send).numbers({1, 1});
  EXPECT_NE(std::string::npos, of(block).find("the block ends inside of a record"));
}

TEST(WeftTrace, AFolderHasTheFileOfEachRankOnce) {
  const ScratchFolder folder;
  RankText rank;
  rank.ranks = 3;
  const auto write = [&](const std::string& name, u32 number) {
    rank.rank = number;
    return folder.write(name, rank.text());
  };
  const std::string path = std::filesystem::path(write("rank-0.weft", 0)).parent_path().string();
  write("rank-2.weft", 2);
  const auto opening = [&] { return error_of<InputError>([&] { (void)open_trace(find_trace(path)); }); };
  EXPECT_NE(std::string::npos, opening().find("the file of rank 1 is missing (the program had 3 ranks)"));
  write("rank-1.weft", 1);
  EXPECT_EQ(3u, open_trace(find_trace(path)).source->parts());
  EXPECT_EQ("weft", open_trace(find_trace(path)).format);
  write("rank-3.weft", 1);
  EXPECT_NE(std::string::npos, opening().find("rank 1 is there twice"));
}

TEST(WeftTrace, TheExampleIsWhole) {
  const std::string path = std::string(WEFT_SOURCE_DIR) + "/examples/traces/heat-8";
  for (const char* format : {"weft", "weft-calls"}) {
    ReplayChoice choice{.store = {.format = format, .kept = false}};
    const TraceCheck check = check_trace(path, choice);
    EXPECT_TRUE(check.completes());
    EXPECT_EQ(0u, check.left_over);
    // 50 steps, 14 messages between neighbours in each; 5 allreduces of 3 rounds.
    EXPECT_EQ(u64{50 * 14 + 5 * 3 * 8}, check.messages);
  }
}

}  // namespace
}  // namespace weft::workloads
