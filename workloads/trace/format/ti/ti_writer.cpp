// Events as lines of time-independent traces; see the header.
#include "workloads/trace/format/ti/ti_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/ti/ti_reader.hpp"
#include "workloads/trace/replay/collective_calls.hpp"
#include "workloads/trace/store/call_times.hpp"

namespace weft::workloads {
namespace {

namespace fs = std::filesystem;
using Kind = TraceEvent::Kind;

constexpr u32 most_ti_tag = 0x7FFF'FFFF;
/// Tags of messages of collective calls lie above this one; which of 1024 communicators they are of, follows.
constexpr u32 ti_collective_tag = 0x4000'0000;

/// What cannot be said in the format, by kind.
struct TiLosses {
  u64 probes = 0, marks = 0, counts = 0, synchronous = 0, tags = 0, sizes = 0, communicators = 0, any = 0, expanded = 0,
      pending = 0;

  [[nodiscard]] std::vector<std::string> list() const {
    std::vector<std::string> all;
    const auto add = [&](u64 count, const char* what) {
      if (count > 0) all.push_back(fmt::format("{} {}", count, what));
    };
    add(probes, "probes (left out)");
    add(counts, "counts of counters (left out)");
    add(marks, "begins and ends of calls and regions, and moments (left out)");
    add(synchronous, "synchronous sends (written as others)");
    add(tags, "tags beyond 2^31 - 1 (their lowest 31 bits are written)");
    add(sizes, "sizes that the trace does not say (0 is written)");
    add(communicators, "messages of other communicators than that of all tasks (told apart by tags alone)");
    add(any, "receives from any task, or of any tag, that the trace does not resolve");
    add(expanded, "collective calls of some of the tasks (written as messages)");
    add(pending, "non-blocking collective calls (written where they are waited for)");
    return all;
  }
};

class TiTaskWriter {
 public:
  TiTaskWriter(const std::shared_ptr<const TraceStore>& store, CollectiveCalls& collectives, TiLosses& losses, u32 task,
               const fs::path& path)
      : store_(store), collectives_(collectives), losses_(losses), task_(task), path_(path), out_(path) {
    check();
  }
  void write() {
    resolve();
    line("init");
    const auto events = TraceStore::events(store_, task_);
    TraceEvent event;
    while (events->next(event)) take(event);
    flush();
    line("finalize");
    out_.close();
    check();
  }

 private:
  struct Started {
    TraceEvent event;
    u32 peer = 0, tag = 0;  ///< as written
  };

  void check() const {
    if (!out_)
      throw SystemError(
          fmt::format("cannot write '{}' ({}); check the file system", shown(path_.string()), std::strerror(errno)));
  }
  template <class... Fields>
  void line(std::string_view action, const Fields&... fields) {
    out_ << task_ << ' ' << action;
    ((out_ << ' ' << fields), ...);
    out_ << '\n';
  }
  void flush() {
    if (computed_ns_ > 0) line("compute", computed_ns_);
    computed_ns_ = 0;
  }

  /// Who sent what receives from any task got: their waits say it.
  void resolve() {
    const auto events = TraceStore::events(store_, task_);
    TraceEvent event;
    std::unordered_map<u64, std::size_t> open;  // by request
    while (events->next(event)) {
      if (event.kind == Kind::ireceive && (event.peer == TraceEvent::any || event.tag == TraceEvent::any)) {
        open[event.request] = resolved_.size();
        resolved_.emplace_back(event.peer, event.tag);
      } else if (event.kind == Kind::ireceive || event.kind == Kind::isend) {
        open.erase(event.request);
      } else if (event.kind == Kind::wait) {
        const auto found = open.find(event.request);
        if (found == open.end()) continue;
        auto& [peer, tag] = resolved_[found->second];
        if (event.peer != TraceEvent::any) peer = event.peer;
        if (event.tag != TraceEvent::any) tag = event.tag;
        open.erase(found);
      }
    }
  }

  void take(const TraceEvent& event) {
    if (store_->index().has_times) computed_ns_ += times_.next(event).computed_ns;
    switch (event.kind) {
      case Kind::compute:
        computed_ns_ += event.bytes;
        return;
      case Kind::enter:
      case Kind::leave:
      case Kind::mark:
        ++losses_.marks;
        return;
      case Kind::count:
        ++losses_.counts;
        return;
      case Kind::probe:
        ++losses_.probes;
        return;
      case Kind::wait:
        return wait(event);
      case Kind::collective:
        if (event.request == TraceEvent::no_request) return collective(event);
        ++losses_.pending;
        started_[event.request] = {event, 0, 0};
        return;
      default:
        return message(event);
    }
  }

  [[nodiscard]] u32 tag_of(u32 tag) {
    if (tag > most_ti_tag) ++losses_.tags;
    return tag & most_ti_tag;
  }
  [[nodiscard]] u64 bytes_of(u64 bytes) {
    if (bytes != TraceEvent::unknown_bytes) return bytes;
    ++losses_.sizes;
    return 0;
  }
  [[nodiscard]] static i64 partner(u32 peer) { return peer == TraceEvent::any ? ti_any_source : i64{peer}; }
  [[nodiscard]] i64 tag(u32 tag) { return tag == TraceEvent::any ? ti_any_tag : i64{tag_of(tag)}; }

  void message(const TraceEvent& event) {
    flush();
    if (event.communicator != 0) ++losses_.communicators;
    if (event.synchronous) ++losses_.synchronous;
    const bool sends = event.kind == Kind::send || event.kind == Kind::isend;
    u32 from = event.peer, with = event.tag;
    if (event.kind == Kind::ireceive && (from == TraceEvent::any || with == TraceEvent::any))
      std::tie(from, with) = resolved_[resolving_++];
    if (!sends && (from == TraceEvent::any || with == TraceEvent::any)) ++losses_.any;
    const char* const action = event.kind == Kind::send      ? "send"
                               : event.kind == Kind::isend   ? "isend"
                               : event.kind == Kind::receive ? "recv"
                                                             : "irecv";
    // A receive may find out how long its message is.
    if (!sends && event.bytes == TraceEvent::unknown_bytes)
      line(action, partner(from), tag(with), -1, ti_byte);
    else
      line(action, partner(from), sends ? i64{tag_of(with)} : tag(with), bytes_of(event.bytes), ti_byte);
    if (event.request != TraceEvent::no_request) started_[event.request] = {event, from, with};
  }

  void wait(const TraceEvent& event) {
    const auto found = started_.find(event.request);
    if (found == started_.end()) return;
    flush();
    const Started started = std::move(found->second);
    started_.erase(found);
    if (started.event.kind == Kind::collective) return collective(started.event);
    if (started.event.kind == Kind::isend)
      line("wait", task_, started.peer, started.tag & most_ti_tag);
    else
      line("wait", partner(started.peer), task_,
           started.tag == TraceEvent::any ? ti_any_tag : i64{started.tag & most_ti_tag});
  }

  [[nodiscard]] bool is_of_all(u32 communicator) const {
    const auto& all = store_->index().communicators;
    if (communicator == 0 || communicator >= all.size() || all[communicator].members.empty()) return true;
    const auto& members = all[communicator].members;
    if (members.size() != store_->index().tasks) return false;
    for (u32 rank = 0; rank < members.size(); ++rank) {
      if (members[rank] != rank) return false;
    }
    return true;
  }
  void numbers(const std::vector<u64>& values) {
    for (const u64 value : values) out_ << ' ' << value;
  }
  /// The lengths of all pieces; those of which only the sum is known are even shares.
  [[nodiscard]] std::vector<u64> pieces(const std::vector<u64>& listed, u64 total) {
    const u32 tasks = store_->index().tasks;
    if (!listed.empty()) return listed;
    std::vector<u64> shares(tasks, bytes_of(total) / tasks);
    for (u64 rank = 0; total != TraceEvent::unknown_bytes && rank < total % tasks; ++rank) ++shares[rank];
    return shares;
  }

  void collective(const TraceEvent& event) {
    flush();
    if (!is_of_all(event.communicator)) return expand(event);
    const u32 root = event.root == TraceEvent::no_root ? 0 : event.root;
    const bool at_root = root == task_;
    const std::vector<u64> none(store_->index().tasks, 0);
    switch (event.operation) {
      case Collective::barrier:
        return line(ti_name(event.operation));
      case Collective::broadcast:
        return line(ti_name(event.operation), bytes_of(event.bytes), root, ti_byte);
      case Collective::reduce:
        return line(ti_name(event.operation), bytes_of(event.bytes), 0, root, ti_byte);
      case Collective::allreduce:
      case Collective::scan:
      case Collective::exscan:
        return line(ti_name(event.operation), bytes_of(event.bytes), 0, ti_byte);
      case Collective::all_to_all:
      case Collective::allgather: {
        const u64 bytes = bytes_of(event.bytes);
        return line(ti_name(event.operation), bytes, bytes, ti_byte, ti_byte);
      }
      case Collective::gather:
      case Collective::scatter: {
        const u64 bytes = bytes_of(event.bytes);
        return line(ti_name(event.operation), bytes, bytes, root, ti_byte, ti_byte);
      }
      case Collective::gatherv:
      case Collective::allgatherv:
        out_ << task_ << ' ' << ti_name(event.operation) << ' ' << bytes_of(event.bytes);
        numbers(at_root || event.operation == Collective::allgatherv ? pieces(event.received, event.bytes_received)
                                                                     : none);
        if (event.operation == Collective::gatherv) out_ << ' ' << root;
        break;
      case Collective::scatterv:
        out_ << task_ << " scatterv";
        numbers(at_root ? pieces(event.sent, event.bytes) : none);
        out_ << ' ' << bytes_of(event.bytes_received) << ' ' << root;
        break;
      case Collective::reduce_scatter:
      case Collective::reduce_scatter_block:
        out_ << task_ << " reducescatter";
        numbers(event.received.empty() ? std::vector<u64>(store_->index().tasks, bytes_of(event.bytes))
                                       : event.received);
        out_ << " 0 " << ti_byte << '\n';
        return;
      case Collective::all_to_allv:
      case Collective::all_to_allw:
        out_ << task_ << " alltoallv";
        for (const auto& list : {pieces(event.sent, event.bytes), pieces(event.received, event.bytes_received)}) {
          out_ << ' ' << std::accumulate(list.begin(), list.end(), u64{0});
          numbers(list);
        }
        break;
    }
    out_ << ' ' << ti_byte << ' ' << ti_byte << '\n';
  }

  void expand(const TraceEvent& event) {
    ++losses_.expanded;
    std::vector<Op> ops;
    collectives_.append(task_, event, ops);
    for (const Op& op : ops) {
      if (op.kind == OpKind::compute) computed_ns_ += op.amount;
      if (op.kind != OpKind::send && op.kind != OpKind::receive) continue;
      flush();
      line(op.kind == OpKind::send ? "send" : "recv", op.peer, ti_collective_tag + event.communicator % 1024, op.amount,
           ti_byte);
    }
  }

  std::shared_ptr<const TraceStore> store_;
  CallTimes times_{store_->index()};
  CollectiveCalls& collectives_;
  TiLosses& losses_;
  u32 task_;
  fs::path path_;
  std::ofstream out_;
  std::vector<std::pair<u32, u32>> resolved_;  ///< partner and tag of receives from any, in order
  std::size_t resolving_ = 0;
  std::unordered_map<u64, Started> started_;  ///< by request
  u64 computed_ns_ = 0;
};

}  // namespace

std::vector<std::string> write_ti(const std::shared_ptr<const TraceStore>& store, const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw SystemError(fmt::format("cannot make the folder '{}' ({}); check the path", shown(path), error.message()));
  CollectiveRulesChoice choice;
  choice.has_unknown_bytes = true;
  CollectiveCalls collectives(store->index().communicators, store->index().tasks, choice);
  TiLosses losses;
  std::ofstream index(fs::path(path) / "index.txt");
  for (u32 task = 0; task < store->index().tasks; ++task) {
    const std::string name = fmt::format("rank-{}.txt", task);
    TiTaskWriter(store, collectives, losses, task, fs::path(path) / name).write();
    index << name << '\n';
  }
  index.close();
  if (!index)
    throw SystemError(
        fmt::format("cannot write '{}/index.txt' ({}); check the file system", shown(path), std::strerror(errno)));
  return losses.list();
}

}  // namespace weft::workloads
