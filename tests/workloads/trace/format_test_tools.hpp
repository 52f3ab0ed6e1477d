// What tests of trace formats share: all events of a trace, and its messages as both sides tell them.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// All events of a trace, by task.
struct EventsOfTrace {
  std::string format;
  u32 tasks = 0;
  std::unique_ptr<TraceSource> source;
  std::vector<std::vector<TraceEvent>> of;
};

inline EventsOfTrace events_of(const TraceInput& input, const std::string& format = "auto") {
  EventsOfTrace all;
  OpenedTrace opened = open_trace(input, format);
  all.format = opened.format;
  all.source = std::move(opened.source);
  TraceRecord record;
  for (u32 part = 0; part < all.source->parts(); ++part) {
    const auto reader = all.source->open(part);
    while (reader->next(record)) {
      if (record.task >= all.of.size()) all.of.resize(record.task + std::size_t{1});
      all.of[record.task].push_back(record.event);
    }
    all.tasks = std::max(all.tasks, reader->tasks());
  }
  all.of.resize(all.tasks);
  return all;
}
inline EventsOfTrace events_of(const std::string& path) { return events_of(find_trace(path)); }

/// From, to, communicator, tag, bytes; sorted.
using Messages = std::vector<std::tuple<u32, u32, u32, u32, u64>>;

inline Messages sent_messages(const EventsOfTrace& trace) {
  Messages messages;
  for (u32 task = 0; task < trace.tasks; ++task) {
    for (const TraceEvent& event : trace.of[task]) {
      if (event.kind == TraceEvent::Kind::send || event.kind == TraceEvent::Kind::isend)
        messages.emplace_back(task, event.peer, event.communicator, event.tag, event.bytes);
    }
  }
  std::ranges::sort(messages);
  return messages;
}

/// Non-blocking receives that are waited for, as their waits tell them.
inline Messages received_messages(const EventsOfTrace& trace) {
  using Kind = TraceEvent::Kind;
  Messages messages;
  for (u32 task = 0; task < trace.tasks; ++task) {
    std::map<u64, TraceEvent> started;
    for (const TraceEvent& event : trace.of[task]) {
      if (event.kind == Kind::receive)
        messages.emplace_back(event.peer, task, event.communicator, event.tag, event.bytes);
      if (event.kind == Kind::ireceive) started[event.request] = event;
      if (event.kind == Kind::isend) started.erase(event.request);
      if (event.kind != Kind::wait || !started.contains(event.request)) continue;
      TraceEvent whole = started.at(event.request);
      started.erase(event.request);
      if (event.peer != TraceEvent::any) whole.peer = event.peer;
      if (event.tag != TraceEvent::any) whole.tag = event.tag;
      if (event.bytes != TraceEvent::unknown_bytes) whole.bytes = event.bytes;
      messages.emplace_back(whole.peer, task, whole.communicator, whole.tag, whole.bytes);
    }
  }
  std::ranges::sort(messages);
  return messages;
}

inline u64 bytes_of(const Messages& messages) {
  u64 sum = 0;
  for (const auto& message : messages) sum += std::get<4>(message);
  return sum;
}

inline u64 count_of(const EventsOfTrace& trace, TraceEvent::Kind kind) {
  u64 count = 0;
  for (const auto& events : trace.of) count += static_cast<u64>(std::ranges::count(events, kind, &TraceEvent::kind));
  return count;
}

inline u64 count_of(const EventsOfTrace& trace, Collective operation) {
  u64 count = 0;
  for (const auto& events : trace.of) {
    count += static_cast<u64>(std::ranges::count_if(events, [&](const TraceEvent& event) {
      return event.kind == TraceEvent::Kind::collective && event.operation == operation;
    }));
  }
  return count;
}

/// Unpacks a shared archive of one folder; empty without it, or without tar.
inline std::string unpacked(const ScratchFolder& folder, const std::string& archive) {
  const std::string path = shared_file(archive);
  if (path.empty()) return {};
  const std::string command = "tar -xf '" + path + "' -C '" + folder.file("") + "' 2> /dev/null";
  return std::system(command.c_str()) == 0 ? folder.file("") : std::string();
}

}  // namespace weft::workloads
