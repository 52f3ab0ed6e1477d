// DUMPI: counts of samples against an independent decoder (shared tools/dumpi_decode.py, whose figures are written
// here), and small files made here byte by byte.
#include "tests/workloads/trace/format_test_tools.hpp"
#include "workloads/trace/format/dumpi/dumpi_calls.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

/// Bytes of a file of one task.
class DumpiBytes {
 public:
  explicit DumpiBytes(std::vector<i32> sizes = {0, 0, 1, 1, 1, 1, 4, 2, 2, 4}) : sizes_(std::move(sizes)) {
    bytes_ =
        "\xFF\xAA\xDD"
        "DUMPI";
    i32s({0, 0});
  }
  /// Begins a call at microsecond `at` that takes one.
  DumpiBytes& call(u16 function, u64 at) {
    u16s({function});
    bytes_ += '\x0B';  // statuses and wall-clock times
    for (const u64 time : {at, at + 1}) {
      u16s({static_cast<u16>(time / 1'000'000 % 65536)});
      i32s({static_cast<i32>(time % 1'000'000 * 1000)});
    }
    return *this;
  }
  DumpiBytes& i32s(const std::vector<i64>& values) { return number(values, 4); }
  DumpiBytes& u16s(const std::vector<i64>& values) { return number(values, 2); }
  DumpiBytes& u8s(const std::vector<i64>& values) { return number(values, 1); }
  DumpiBytes& list(const std::vector<i64>& values) { return i32s({static_cast<i64>(values.size())}).i32s(values); }
  DumpiBytes& status(i64 bytes, i64 source, i64 tag) { return i32s({bytes, source}).u8s({0, 0}).i32s({tag}); }
  [[nodiscard]] std::string whole() const {
    DumpiBytes all = *this;
    all.u16s({dumpi_end});
    const std::size_t header = all.bytes_.size();
    all.u8s({1, 1, 0}).number({0}, 8).u16s({0, 0}).i32s({0, 0});
    const std::size_t keyvals = all.bytes_.size();
    all.i32s({0});
    const std::size_t sizes = all.bytes_.size();
    all.list({sizes_.begin(), sizes_.end()});
    all.bytes_ +=
        "\xFF\xAA\xDD"
        "DUMPI";
    for (const std::size_t offset :
         {sizes, std::size_t{0}, std::size_t{0}, header, std::size_t{8}, std::size_t{0}, keyvals})
      all.number({static_cast<i64>(offset)}, 8);
    return all.bytes_;
  }

 private:
  DumpiBytes& number(const std::vector<i64>& values, int bytes) {
    for (const i64 value : values) {
      for (int i = bytes - 1; i >= 0; --i) bytes_ += static_cast<char>(value >> (8 * i));
    }
    return *this;
  }
  std::vector<i32> sizes_;
  std::string bytes_;
};

/// A folder with a file for each task.
std::string written(const ScratchFolder& folder, const std::vector<DumpiBytes>& files) {
  for (std::size_t rank = 0; rank < files.size(); ++rank)
    static_cast<void>(folder.write("t-000" + std::to_string(rank) + ".bin", files[rank].whole()));
  return folder.write("t.meta", "numprocs=" + std::to_string(files.size()) + "\nfileprefix=/somewhere/t\n");
}

std::string refusal(const std::string& bytes) {
  return error_of<InputError>([&] { events_of(trace_in_memory(bytes, "t.bin"), "dumpi"); });
}

TEST(Dumpi, CountsOfSamplesAreThoseOfAnIndependentDecoder) {
  struct Sample {
    const char* path;
    u32 tasks;
    u64 isends, sends, bytes, barriers, allreduces, all_to_alls;
  };
  const Sample samples[] = {{"traces/dumpi/testtrace.meta", 4, 4, 0, 16, 4, 4, 0},
                            {"traces/dumpi/testbgp.meta", 7, 588, 0, 418'656, 21, 0, 49},
                            {"traces/dumpi/taufer-alltoall4", 4, 48, 0, 192, 16, 0, 0},
                            {"traces/dumpi/cortex/MultiGrid.bin", 125, 0, 1'144, 3'045'248, 1, 12, 0},
                            {"traces/dumpi/cortex/MiniDFT.bin", 9, 25, 616, 6'143'632, 845, 219, 0},
                            {"traces/dumpi/cortex/CrystalRouter.bin", 10, 16'000, 0, 15'695'336, 0, 0, 0}};
  for (const Sample& sample : samples) {
    const std::string path = shared_file(sample.path);
    if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
    const EventsOfTrace trace = events_of(path);
    EXPECT_EQ("dumpi", trace.format);
    EXPECT_EQ(sample.tasks, trace.tasks) << path;
    EXPECT_EQ(sample.isends, count_of(trace, Kind::isend)) << path;
    EXPECT_EQ(sample.sends, count_of(trace, Kind::send)) << path;
    EXPECT_EQ(sample.bytes, bytes_of(sent_messages(trace))) << path;
    EXPECT_EQ(sample.barriers, count_of(trace, Collective::barrier)) << path;
    EXPECT_EQ(sample.allreduces, count_of(trace, Collective::allreduce)) << path;
    EXPECT_EQ(sample.all_to_alls, count_of(trace, Collective::all_to_all)) << path;
    u64 last = 0;
    for (const TraceEvent& event : trace.of.back()) {
      EXPECT_LE(last, event.begin_ns);
      EXPECT_LE(event.begin_ns, event.end_ns);
      last = event.begin_ns;
    }
  }
}

TEST(Dumpi, MessagesOfAmgAreThoseOfTheTraceThatWasMadeOfItBefore) {
  const ScratchFolder folder;
  const std::string other = shared_file("traces/dumpi-derived/amg.27.trc.xz");
  const std::string amg = unpacked(folder, "traces/dumpi/df_AMG_n27_dumpi.tar.xz");
  if (amg.empty() || other.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const EventsOfTrace trace = events_of(amg + "/amg27");
  EXPECT_EQ(27u, trace.tasks);
  const Messages sent = sent_messages(trace);
  EXPECT_EQ(15'524u, sent.size());
  EXPECT_EQ(sent, received_messages(trace));
  EXPECT_EQ(sent, sent_messages(events_of(other)));
}

TEST(Dumpi, SamplesOfAllTasksReplayToTheEnd) {
  for (const char* const name : {"testtrace.meta", "testbgp.meta", "taufer-alltoall4"}) {
    const std::string path = shared_file(std::string("traces/dumpi/") + name);
    if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
    ReplayChoice choice;
    choice.store.kept = false;
    const TraceCheck check = check_trace(path, choice);
    EXPECT_TRUE(check.completes()) << name;
    EXPECT_EQ(0u, check.left_over) << name;
  }
}

TEST(Dumpi, TranslatesRanksOfCommunicatorsAndResolvesSources) {
  std::vector<DumpiBytes> files(3);
  for (i64 rank = 0; rank < 3; ++rank) {
    // Ranks 2, 1, 0 of the world are 0, 1, 2 here; each task has its own number for it.
    files[static_cast<std::size_t>(rank)].call(dumpi_comm_split, 10).u16s({2}).i32s({0, -rank}).u16s({4 + rank});
  }
  files[0].call(dumpi_irecv, 20).i32s({8}).u16s({9}).i32s({-1, -1}).u16s({4}).i32s({2});
  files[0].call(dumpi_wait, 30).i32s({2, 1}).status(12, 0, 7);
  files[2].call(dumpi_send, 20).i32s({3}).u16s({9}).i32s({2, 7}).u16s({6});
  files[2].call(dumpi_send, 40).i32s({3}).u16s({9}).i32s({-2, 7}).u16s({6});  // MPI_PROC_NULL
  files[1].call(dumpi_bcast, 50).i32s({5}).u16s({9}).i32s({2}).u16s({5});
  const ScratchFolder folder;
  const EventsOfTrace trace = events_of(written(folder, files));
  ASSERT_EQ(2u, trace.source->communicators().size());
  EXPECT_EQ((std::vector<u32>{2, 1, 0}), trace.source->communicators()[1].members);
  EXPECT_EQ((Messages{{2, 0, 1, 7, 12}}), sent_messages(trace));
  EXPECT_EQ((Messages{{2, 0, 1, 7, 12}}), received_messages(trace));
  const TraceEvent& broadcast = trace.of[1].back();
  EXPECT_EQ(0u, broadcast.root);
  EXPECT_EQ(20u, broadcast.bytes);
  EXPECT_EQ(40'000u, broadcast.begin_ns);  // since the first call
  EXPECT_EQ(41'000u, broadcast.end_ns);
}

TEST(Dumpi, PersistentRequestsTestsAndNullRequests) {
  DumpiBytes file;
  file.call(dumpi_recv_init, 1).i32s({2}).u16s({9}).i32s({0, 5}).u16s({2}).i32s({3});
  for (i64 round = 0; round < 2; ++round) {
    file.call(dumpi_start, 10).i32s({3});
    file.call(dumpi_test, 20).i32s({3, 0, 0});  // not over
    file.call(dumpi_test, 21).i32s({3, 1, 1}).status(8, 0, 5);
    file.call(dumpi_wait, 30).i32s({3, 0});  // not active
  }
  file.call(dumpi_waitall, 40).i32s({2}).list({1, 99}).i32s({0});  // null, and one from before the recording
  const EventsOfTrace trace = events_of(trace_in_memory(file.whole(), "t.bin"));
  EXPECT_EQ(2u, count_of(trace, Kind::ireceive));
  EXPECT_EQ(2u, count_of(trace, Kind::wait));
  EXPECT_EQ((Messages{{0, 0, 0, 5, 8}, {0, 0, 0, 5, 8}}), received_messages(trace));
}

TEST(Dumpi, SizesOfNewDataTypes) {
  DumpiBytes file;
  file.call(dumpi_type_vector, 1).i32s({3, 2, 10}).u16s({9, 30});                                          // 6 integers
  file.call(dumpi_type_struct, 2).i32s({2}).list({1, 2}).list({0, 8}).i32s({2}).u16s({30, 2}).u16s({31});  // 24 + 2
  file.call(dumpi_type_create_subarray, 3).i32s({2}).list({9, 9}).list({2, 3}).list({0, 0}).u8s({1}).u16s({31, 32});
  file.call(dumpi_send, 4).i32s({2}).u16s({32}).i32s({0, 1}).u16s({2});
  file.call(dumpi_send, 5).i32s({2}).u16s({40}).i32s({0, 1}).u16s({2});  // nobody made that
  const Messages sent = sent_messages(events_of(trace_in_memory(file.whole(), "t.bin")));
  EXPECT_EQ((Messages{{0, 0, 0, 1, 2 * 6 * 26}, {0, 0, 0, 1, TraceEvent::unknown_bytes}}), sent);
}

TEST(Dumpi, EveryCallOfTheTableIsSteppedOver) {
  using Type = DumpiArgument::Type;
  DumpiBytes file;
  u64 sends = 0;
  for (const DumpiRow& row : dumpi_rows()) {
    // Numbers are null communicators, types and requests; lists have two entries, texts three letters.
    file.call(row.function, 10 * ++sends);
    for (const DumpiArgument& argument : *dumpi_arguments(row.function)) {
      const bool group = argument.type == Type::u16 && (argument.slot == static_cast<u8>(DumpiField::comm) ||
                                                        argument.slot == static_cast<u8>(DumpiField::oldcomm));
      switch (argument.type) {
        case Type::u8:
          file.u8s({1});
          break;
        case Type::u16:
          file.u16s({group ? 3 : 1});
          break;
        case Type::i32:
          file.i32s({argument.slot == static_cast<u8>(DumpiField::root)   ? 0
                     : argument.slot == static_cast<u8>(DumpiField::argc) ? 1
                                                                          : 0});
          break;
        case Type::i64:
          file.i32s({0, 1});
          break;
        case Type::status:
          file.i32s({1}).status(4, 0, 3);
          break;
        case Type::text:
          file.i32s({3}).u8s({'a', 'b', 'c'});
          break;
        case Type::texts:
          if (!argument.counted) file.i32s({1});
          file.i32s({2}).u8s({'a', 'b'});
          break;
        case Type::list_u8:
          file.i32s({2}).u8s({1, 1});
          break;
        case Type::list_u16:
          file.i32s({2}).u16s({1, 1});
          break;
        case Type::list_i32:
          file.list({0, 0});
          break;
        case Type::lists_i32:
          file.i32s({1}).list({0, 0, 1});
          break;
        case Type::lists_text:
          file.i32s({1}).i32s({1}).i32s({1}).u8s({'x'});
          break;
      }
    }
    file.call(dumpi_send, 10 * sends + 5).i32s({1}).u16s({9}).i32s({0, 77}).u16s({2});
  }
  const Messages sent = sent_messages(events_of(trace_in_memory(file.whole(), "t.bin")));
  const auto marked = std::ranges::count_if(sent, [](const auto& message) { return std::get<3>(message) == 77; });
  EXPECT_EQ(sends, static_cast<u64>(marked));
}

TEST(Dumpi, RefusesWhatIsDamaged) {
  DumpiBytes file;
  file.call(dumpi_send, 1).i32s({2}).u16s({9}).i32s({0, 1}).u16s({2});
  const std::string whole = file.whole();
  EXPECT_NE(std::string::npos, refusal(whole.substr(0, whole.size() - 3)).find("truncated")) << whole.size();
  EXPECT_NE(std::string::npos, refusal(whole.substr(0, 20)).find("truncated"));
  DumpiBytes unknown;
  unknown.u16s({128}).u8s({0});
  EXPECT_NE(std::string::npos,
            refusal(unknown.whole()).find("t.bin: byte 16: unknown call (got number 128); expected"));
  DumpiBytes long_list;
  long_list.call(dumpi_waitall, 1).i32s({1, 1'000'000'000});
  EXPECT_NE(std::string::npos, refusal(long_list.whole()).find("a list of 1000000000 elements"));
  DumpiBytes negative;
  negative.call(dumpi_send, 1).i32s({-2}).u16s({9}).i32s({0, 1}).u16s({2});
  EXPECT_NE(std::string::npos, refusal(negative.whole()).find("negative"));
  DumpiBytes far;  // a few bytes stand for communicators of 2^24 members each
  for (const u16 communicator : {2, 4, 5, 6, 7})
    far.call(dumpi_send, 1).i32s({1}).u16s({9}).i32s({0xFF'FFFF, 1}).u16s({communicator});
  EXPECT_NE(std::string::npos, refusal(far.whole()).find("had 83886081 members in all (it is damaged)"));

  const ScratchFolder folder;
  std::vector<DumpiBytes> files(3);
  files[0].call(dumpi_comm_dup, 1).u16s({2, 4}).call(dumpi_send, 2).i32s({1}).u16s({9}).i32s({1, 1}).u16s({4});
  const std::string meta_file = written(folder, files);
  const auto error = [&] { return error_of<InputError>([&] { events_of(meta_file); }); };
  EXPECT_NE(std::string::npos, error().find("MPI_Send on a communicator whose members are not known (got number 4)"));
  std::filesystem::remove(folder.file("t-0001.bin"));
  EXPECT_NE(std::string::npos, error().find("the file of rank 1 is missing"));
  EXPECT_NE(std::string::npos,
            error_of<InputError>([&] { events_of(folder.file("t-*.bin")); }).find("rank 1 is missing"));
}

}  // namespace
}  // namespace weft::workloads
