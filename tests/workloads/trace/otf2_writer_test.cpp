// Traces as OTF2 archives, there and back.
#include "workloads/trace/format/otf2/otf2_writer.hpp"

#include "tests/workloads/trace/otf2_test_tools.hpp"
#include "workloads/trace/store/import.hpp"
#include "workloads/trace/store/trace_store.hpp"

namespace weft::workloads {
namespace {

using Kind = TraceEvent::Kind;

/// A store of the trace in temporary files.
std::shared_ptr<const TraceStore> store_of_path(const std::string& path) {
  StoreChoice choice;
  choice.kept = false;
  choice.threads = 2;
  return store_of(find_trace(path), choice);
}

TEST(Otf2Writer, AnArchiveComesBackAsItWas) {
  for (const std::string& path :
       {stencil_archive(), small_archive(), shared_file("traces/otf2/sstmacro-otf2_test_traces"),
        shared_file("traces/otf2/ember-test_emberotf2")}) {
    if (path.empty()) continue;
    const ScratchFolder folder;
    const std::string written = folder.file("again.otf2");
    EXPECT_TRUE(otf2::write_archive(store_of_path(path), written).empty()) << path;
    const auto before = open_trace(find_trace(path)), after = open_trace(find_trace(written));
    EXPECT_EQ(before.source->communicators(), after.source->communicators());
    const Lists first = events_of_archive(path), second = events_of_archive(written);
    ASSERT_EQ(first.size(), second.size());
    for (u32 task = 0; task < first.size(); ++task) {
      ASSERT_EQ(first[task].size(), second[task].size()) << path << " " << task;
      for (std::size_t i = 0; i < first[task].size(); ++i) {
        TraceEvent one = first[task][i], other = second[task][i];
        if (one.kind >= Kind::enter) {
          // Names are numbered anew.
          EXPECT_EQ(before.source->names()[one.name], after.source->names()[other.name]);
          one.name = other.name = 0;
        }
        ASSERT_EQ(one, other) << path << ", task " << task << ", event " << i;
      }
    }
  }
}

TEST(Otf2Writer, ComputingBecomesTimeInATraceWithoutTimes) {
  const ScratchFolder folder;
  const std::string text =
      folder.write("t.trc", "c 0 500\ns 0 1 7 100\nc 0 20\nr 0 1 7 100\nc 1 30\nc 1 4\ns 1 0 0 0\nr 1 0 0 0\n");
  const std::string written = folder.file("t.otf2");
  const auto losses = otf2::write_archive(store_of_path(text), written);
  ASSERT_EQ(1u, losses.size());
  EXPECT_NE(std::string::npos, losses[0].find("matched by source, tag and size"));
  const auto program = open_program(written);
  EXPECT_EQ((std::vector<Op>{{OpKind::compute, 0, 0, 500},
                             {.kind = OpKind::send, .peer = 1, .tag = 7, .amount = 100, .waits = true},
                             {OpKind::compute, 0, 0, 20},
                             {OpKind::receive, 1, 0, 0}}),
            ops_of(*program, 0));
  EXPECT_EQ((std::vector<Op>{
                {OpKind::receive, 0, 7, 100}, {OpKind::compute, 0, 0, 34}, {.kind = OpKind::send, .waits = true}}),
            ops_of(*program, 1));
  const Lists lists = events_of_archive(written);
  EXPECT_EQ(Kind::mark, lists[0].front().kind);
  EXPECT_EQ(520u, lists[0].back().end_ns);
  EXPECT_EQ(34u, lists[1].back().end_ns);
}

/// A trace of lists, for writers.
class ListSource final : public TraceSource {
 public:
  ListSource(Lists lists, std::vector<TraceCommunicator> communicators, std::vector<TraceName> names)
      : lists_(std::move(lists)), communicators_(std::move(communicators)), names_(std::move(names)) {}
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    class Reader final : public TraceReader {
     public:
      explicit Reader(const Lists& lists) : lists_(lists) {}
      bool next(TraceRecord& record) override {
        for (; task_ < lists_.size(); ++task_, at_ = 0) {
          if (at_ < lists_[task_].size()) {
            record = {task_, lists_[task_][at_++]};
            return true;
          }
        }
        return false;
      }
      [[nodiscard]] u64 position() const override { return at_; }
      [[nodiscard]] u32 tasks() const override { return static_cast<u32>(lists_.size()); }

     private:
      const Lists& lists_;
      u32 task_ = 0;
      std::size_t at_ = 0;
    };
    return std::make_unique<Reader>(lists_);
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 /*position*/) const override { return "list"; }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return communicators_; }
  [[nodiscard]] std::vector<TraceName> names() const override { return names_; }
  [[nodiscard]] bool has_times() const override { return true; }

 private:
  Lists lists_;
  std::vector<TraceCommunicator> communicators_;
  std::vector<TraceName> names_;
};

std::shared_ptr<const TraceStore> store_of_source(const TraceSource& source) {
  std::vector<StoreFile> files;
  files.push_back(StoreFile::temporary("trace"));
  std::vector<StoreIndex> shares;
  shares.push_back(import_share(source, 0, 1, files[0], {}, {}));
  return std::make_shared<const TraceStore>(merged(std::move(shares)), std::move(files));
}

/// Makes events one after the other, of 10 ns each with 5 ns between calls.
class Script {
 public:
  TraceEvent& add(Kind kind, bool continues = false) {
    TraceEvent& event = events.emplace_back();
    event.kind = kind;
    event.continues = continues;
    if (!continues) now_ += 15;
    event.begin_ns = now_;
    event.end_ns = kind >= Kind::enter ? now_ : now_ + 10;
    if (kind == Kind::wait) event.peer = event.tag = TraceEvent::any, event.bytes = TraceEvent::unknown_bytes;
    return event;
  }
  TraceEvent& message(Kind kind, u32 peer, u32 tag, u64 bytes, u32 communicator, bool continues = false) {
    TraceEvent& event = add(kind, continues);
    event.peer = peer;
    event.tag = tag;
    event.bytes = bytes;
    event.communicator = communicator;
    return event;
  }
  TraceEvent& collective(Collective operation, u64 bytes, u32 root, u32 communicator) {
    TraceEvent& event = add(Kind::collective);
    event.operation = operation;
    event.bytes = bytes;
    event.root = root;
    event.communicator = communicator;
    return event;
  }
  std::vector<TraceEvent> events;

 private:
  u64 now_ = 0;
};

TEST(Otf2Writer, EveryKindOfEventComesBack) {
  // Communicator 1 is {2, 0}; 2 to 4 are each of one task.
  const std::vector<TraceCommunicator> communicators = {{}, {{2, 0}}, {{0}}, {{1}}, {{2}}};
  const std::vector<TraceName> names = {{"loop", false},
                                        {"MPI_Comm_rank", true},
                                        {"PROGRAM_BEGIN", false},
                                        {"PROGRAM_END", false},
                                        {"EZTrace finalize", false}};
  Script script;
  script.add(Kind::mark).name = 2;
  script.add(Kind::enter).name = 0;
  script.add(Kind::enter).name = 1;
  script.add(Kind::leave).name = 1;
  script.message(Kind::send, 2, 9, 100, 1).synchronous = true;
  script.message(Kind::isend, 1, 4'000'000'000, 7, 0).request = 5;
  script.message(Kind::ireceive, 2, 3, 77, 1).request = u64{1} << 60;
  script.message(Kind::send, 1, 1, 1, 0);
  script.message(Kind::receive, 2, 1, 2, 0, true);
  script.message(Kind::receive, TraceEvent::any, TraceEvent::any, TraceEvent::unknown_bytes, 1);
  script.add(Kind::wait).request = 5;
  TraceEvent& wait = script.message(Kind::wait, 2, 3, 77, 1, true);
  wait.request = u64{1} << 60;
  script.collective(Collective::allreduce, 8, TraceEvent::no_root, 0).request = 6;
  script.collective(Collective::broadcast, 24, 2, 1);
  script.collective(Collective::gatherv, 24, 2, 1).bytes_received = 0;
  script.collective(Collective::scan, 10, TraceEvent::no_root, 1);
  script.collective(Collective::barrier, 0, TraceEvent::no_root, 2);
  script.collective(Collective::all_to_all, TraceEvent::unknown_bytes, TraceEvent::no_root, 0).bytes_received =
      TraceEvent::unknown_bytes;
  script.add(Kind::wait).request = 6;
  script.add(Kind::enter).name = 4;
  script.add(Kind::leave).name = 4;
  script.add(Kind::leave).name = 0;
  script.add(Kind::mark).name = 3;

  const ScratchFolder folder;
  const std::string written = folder.file("all.otf2");
  const ListSource source({script.events, {}, {}}, communicators, names);
  EXPECT_EQ(std::vector<std::string>{}, otf2::write_archive(store_of_source(source), written));
  const auto opened = open_trace(find_trace(written));
  EXPECT_EQ(communicators, opened.source->communicators());
  const Lists lists = events_of_archive(written);
  ASSERT_EQ(3u, lists.size());
  ASSERT_EQ(script.events.size(), lists[0].size());
  for (std::size_t i = 0; i < script.events.size(); ++i) {
    TraceEvent expected = script.events[i], got = lists[0][i];
    if (got.kind >= Kind::enter) {
      EXPECT_EQ(names[expected.name], opened.source->names()[got.name]) << i;
      expected.name = got.name = 0;
    }
    EXPECT_EQ(expected, got) << i;
  }
}

TEST(Otf2Writer, WhatOtf2HasNotIsSaid) {
  Script script;
  script.message(Kind::probe, 1, 1, 1, 0);
  script.add(Kind::mark).name = 0;
  script.collective(Collective::all_to_allv, 0, TraceEvent::no_root, 0).sent = {1, 2};
  script.add(Kind::wait).request = 3;
  script.message(Kind::ireceive, 1, 3, 77, 0).request = 4;
  const ScratchFolder folder;
  const ListSource source({script.events, {}}, {{}}, {{"here", false}});
  const auto losses = otf2::write_archive(store_of_source(source), folder.file("lossy.otf2"));
  EXPECT_EQ(5u, losses.size());
  for (const std::string& loss : losses) EXPECT_NE(std::string::npos, loss.find('1')) << loss;
  const ListSource stranger({{[] {
                               Script wrong;
                               return wrong.message(Kind::send, 1, 0, 0, 1);
                             }()},
                             {}},
                            {{}, {{0}}}, {});
  EXPECT_NE(std::string::npos, error_of<ConfigError>([&] {
                                 static_cast<void>(otf2::write_archive(store_of_source(stranger), folder.file("s")));
                               }).find("task 1 is not in communicator 1"));
}

}  // namespace
}  // namespace weft::workloads
