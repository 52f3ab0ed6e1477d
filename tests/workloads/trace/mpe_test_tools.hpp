// CLOG2 files made byte by byte for tests, and what the tests of MPE's formats share.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/workloads/trace/trace_test_tools.hpp"

namespace weft::workloads {

/// A log as the description of the format says (docs/trace-formats.md); nothing of the writer is used.
class Clog2Bytes {
 public:
  static constexpr std::size_t block_bytes = 1024;
  explicit Clog2Bytes(u32 tasks, bool big_endian = true) : tasks_(tasks), big_endian_(big_endian) {
    for (u32 task = 0; task < tasks; ++task) member(0, task, 0, 0, task, task);
  }
  Clog2Bytes& event(double s, i32 communicator, u32 rank, i32 type) {
    header(s, communicator, rank, 5, 8);
    return i32s({type, 0});
  }
  Clog2Bytes& message(double s, i32 communicator, u32 rank, i32 type, i32 other, i32 peer, i32 tag, i32 bytes) {
    header(s, communicator, rank, 7, 24);
    return i32s({type, other, peer, tag, bytes, 0});
  }
  Clog2Bytes& member(double s, u32 rank, i32 how, i32 communicator, u32 rank_in_it, u32 world) {
    header(s, 0, rank, 9, 48);
    i32s({how, communicator, static_cast<i32>(rank_in_it), static_cast<i32>(world)});
    return zeros(32);
  }
  Clog2Bytes& state(i32 number, i32 begin, i32 end, const std::string& name) {
    header(0, 0, 0, 2, 112);
    i32s({number, begin, end, 0}).zeros(24).text(name, 32);
    return zeros(40);
  }
  Clog2Bytes& moment(i32 type, const std::string& name) {
    header(0, 0, 0, 3, 104);
    i32s({type, 0}).zeros(24).text(name, 32);
    return zeros(40);
  }
  /// Any record.
  Clog2Bytes& raw(i32 type, std::size_t body) {
    header(0, 0, 0, type, body);
    return zeros(body);
  }
  [[nodiscard]] std::string log(const std::map<std::string, std::string>& changed = {}) {
    raw_header(1e8, 0, 0, 0);
    fill();
    const std::size_t table = 1024 + bytes_.size();
    i32s({1});
    bytes_ += block_;
    bytes_ += std::string(40, '\0');
    std::string head = std::string("CLOG-02.44") + '\0';
    const auto field = [&](const std::string& title, std::string value) {
      if (const auto found = changed.find(title); found != changed.end()) value = found->second;
      head += title + "=" + '\0' + value + '\0';
    };
    field("is_big_endian", big_endian_ ? "TRUE " : "FALSE");
    field("is_finalzed", "TRUE ");
    field("block_size", std::to_string(block_bytes));
    field("num_buffered_blocks", "128");
    field("max_comm_world_size", std::to_string(tasks_));
    field("commtable_fptr", "0");
    head += std::string("1073741824") + '\0' + std::to_string(table) + '\0';
    head.resize(1024, '\0');
    return head + bytes_;
  }

 private:
  void header(double s, i32 communicator, u32 rank, i32 type, std::size_t body) {
    if (block_.size() + 24 + body + 24 >= block_bytes) {
      raw_header(s, 0, 0, 1);
      fill();
    }
    raw_header(s, communicator, rank, type);
  }
  void raw_header(double s, i32 communicator, u32 rank, i32 type) {
    put(&s, sizeof s);
    i32s({communicator, static_cast<i32>(rank), 0, type});
  }
  Clog2Bytes& i32s(std::initializer_list<i32> values) {
    for (const i32 value : values) put(&value, sizeof value);
    return *this;
  }
  void put(const void* value, std::size_t bytes) {
    std::string text(static_cast<const char*>(value), bytes);
    if (big_endian_) std::ranges::reverse(text);
    block_ += text;
  }
  Clog2Bytes& zeros(std::size_t count) {
    block_ += std::string(count, '\0');
    return *this;
  }
  void text(std::string value, std::size_t room) {
    value.resize(room, '\0');
    block_ += value;
  }
  void fill() {
    block_.resize(block_bytes, 'x');  // what follows the last record says nothing
    bytes_ += block_;
    block_.clear();
  }

  u32 tasks_;
  bool big_endian_;
  std::string block_, bytes_;
};

/// A log in memory, read: events of each task.
struct ReadLog {
  explicit ReadLog(const TraceInput& input, const std::string& format = "auto") {
    const OpenedTrace trace = open_trace(input, format);
    found = trace.format;
    names = trace.source->names();
    communicators = trace.source->communicators();
    const auto reader = trace.source->open(0);
    TraceRecord record;
    while (reader->next(record)) events[record.task].push_back(record.event);
    tasks = reader->tasks();
  }
  explicit ReadLog(const std::string& bytes) : ReadLog(trace_in_memory(bytes, "t")) {}

  [[nodiscard]] std::string name(const TraceEvent& event) const { return names.at(event.name).text; }
  /// "send 1 7 40", "receive+", "enter MPI_Wait": kinds, and what else is asked for, of a task.
  [[nodiscard]] std::string text(u32 task) const {
    static constexpr const char* kinds[] = {"compute", "send", "isend", "receive", "ireceive", "wait",
                                            "probe",   "coll", "enter", "leave",   "mark"};
    std::string all;
    const auto found_events = events.find(task);
    if (found_events == events.end()) return all;
    for (const TraceEvent& event : found_events->second) {
      all += all.empty() ? "" : ", ";
      all += kinds[static_cast<std::size_t>(event.kind)];
      if (event.continues) all += "+";
      if (event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend ||
          event.kind == TraceEvent::Kind::receive)
        all += " " + std::to_string(event.peer) + " " + std::to_string(event.tag) + " " + std::to_string(event.bytes);
      if (event.kind == TraceEvent::Kind::collective)
        all += " " + std::string(name_of(event.operation)) + " " + std::to_string(event.communicator);
      if (event.kind >= TraceEvent::Kind::enter) all += " " + name(event);
    }
    return all;
  }
  struct Counts {
    u64 sends = 0, receives = 0, bytes = 0, unmatched = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
  };
  [[nodiscard]] Counts counts() const {
    Counts sum;
    std::map<std::tuple<u32, u32, u32, u64>, i64> open;
    for (const auto& [task, list] : events) {
      for (const TraceEvent& event : list) {
        if (event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend) {
          ++sum.sends;
          sum.bytes += event.bytes;
          ++open[{task, event.peer, event.tag, event.bytes}];
        } else if (event.kind == TraceEvent::Kind::receive) {
          ++sum.receives;
          --open[{event.peer, task, event.tag, event.bytes}];
        }
      }
    }
    for (const auto& [message, left] : open) sum.unmatched += static_cast<u64>(left < 0 ? -left : left);
    return sum;
  }

  std::string found;
  u32 tasks = 0;
  std::vector<TraceName> names;
  std::vector<TraceCommunicator> communicators;
  std::map<u32, std::vector<TraceEvent>> events;
};

}  // namespace weft::workloads
