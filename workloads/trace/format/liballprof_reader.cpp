// Calls in liballprof's text as events; see the header.
#include "workloads/trace/format/liballprof_reader.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "workloads/trace/format/dumpi/dumpi_calls.hpp"

namespace weft::workloads {
namespace {

using AllprofCallKind = LiballprofCall::Kind;

/// MPI_COMM_WORLD and MPI_COMM_SELF of MPICH, whose requests are 4 bytes, and whose any source is another number.
constexpr u64 mpich_world = 0x44000000, mpich_self = 0x44000001;

u64 sum_of_counts(const std::vector<u64>& pieces) {
  return pieces.empty() ? TraceEvent::unknown_bytes : std::accumulate(pieces.begin(), pieces.end(), u64{0});
}

/// Index in liballprof_names.
u32 liballprof_name(std::string_view name) {
  const auto rows = dumpi_rows();
  const auto found = std::ranges::find_if(rows, [&](const DumpiRow& row) { return name.substr(4) == row.name; });
  return static_cast<u32>(found - rows.begin());
}

}  // namespace

std::vector<TraceName> liballprof_names() {
  std::vector<TraceName> names;
  for (const DumpiRow& row : dumpi_rows()) names.push_back({std::string("MPI_") + row.name, true});
  names.push_back({"another call of MPI", true});
  return names;
}

LiballprofReader::LiballprofReader(std::unique_ptr<ByteSource> source, std::shared_ptr<const LiballprofTrace> trace,
                                   u32 task)
    : lines_(std::move(source)), trace_(std::move(trace)), task_(task) {}

bool LiballprofReader::read_more() {
  if (ended_) return false;
  if (!lines_.next(line_)) {
    ended_ = true;
    begin_ns_ = end_ns_;
    // What was tested and never used again is over at the latest here.
    std::vector<u64> tested;
    for (const auto& [number, request] : requests_.all()) {
      if (request.tested) tested.push_back(number);
    }
    for (const u64 number : tested) end_request(number, queued() > 0);
    return true;
  }
  if (!began_ && (line_.has_begin || line_.has_end)) {
    began_ = true;
    zero_us_ = line_.has_begin ? line_.begin_us : line_.end_us;
  }
  const auto nanoseconds = [&](double us) {
    return us <= zero_us_ ? 0 : static_cast<u64>(std::min(1e3 * (us - zero_us_), 1e18));
  };
  begin_ns_ = line_.has_begin ? std::max(end_ns_, nanoseconds(line_.begin_us)) : end_ns_;
  end_ns_ = line_.has_end ? std::max(begin_ns_, nanoseconds(line_.end_us)) : begin_ns_;
  take();
  return true;
}

TraceEvent& LiballprofReader::add(Kind kind) {
  TraceEvent& event = queue(task_);
  event.kind = kind;
  event.begin_ns = begin_ns_;
  event.end_ns = end_ns_;
  return event;
}

void LiballprofReader::take() {
  if (line_.call == nullptr) return other_call();
  switch (line_.call->kind) {
    case AllprofCallKind::send:
    case AllprofCallKind::receive:
      message(line_.call->kind == AllprofCallKind::send ? Kind::send : Kind::receive, 'n', 't', 'd', 'g');
      return;
    case AllprofCallKind::isend:
    case AllprofCallKind::ireceive:
    case AllprofCallKind::persistent_send:
    case AllprofCallKind::persistent_receive: {
      const auto kind = line_.call->kind;
      const bool sends = kind == AllprofCallKind::isend || kind == AllprofCallKind::persistent_send;
      const u64 address = static_cast<u64>(line_.at('r'));
      if (!message(sends ? Kind::isend : Kind::ireceive, 'n', 't', 'd', 'g')) return;
      const TraceEvent event = take_last_back();
      if (kind == AllprofCallKind::isend || kind == AllprofCallKind::ireceive) return start(address, event, sends);
      persistent_[address] = {sends, event};
      return other_call();
    }
    case AllprofCallKind::start: {
      const u64 first = static_cast<u64>(line_.at('r'));
      const u64 last = end_of_requests(first);
      for (auto at = persistent_.lower_bound(first); at != persistent_.end() && at->first < last; ++at) {
        TraceEvent event = at->second.event;
        event.begin_ns = begin_ns_;
        event.end_ns = end_ns_;
        event.continues = queued() > 0;
        start(at->first, event, at->second.sends);
      }
      return;
    }
    case AllprofCallKind::sendrecv: {
      const bool replaces = line_.call->arguments.find('N') == std::string_view::npos;
      message(Kind::send, 'n', 't', 'd', 'g');
      const bool continues = queued() > 0;
      if (message(Kind::receive, replaces ? 'n' : 'N', replaces ? 't' : 'T', 'D', 'G'))
        last_queued().continues = continues;
      return;
    }
    case AllprofCallKind::wait:
    case AllprofCallKind::wait_one:
    case AllprofCallKind::test:
      return wait();
    case AllprofCallKind::probe: {
      if (is_null(line_.at('d'), false)) return;
      const Group of = group();
      TraceEvent& event = add(Kind::probe);
      event.peer = line_.at('d') < 0 ? TraceEvent::any : task_of(of, line_.at('d'));
      event.tag = line_.at('g') < 0 ? TraceEvent::any : static_cast<u32>(line_.at('g'));
      event.communicator = of.number;
      event.bytes = TraceEvent::unknown_bytes;
      return;
    }
    case AllprofCallKind::collective:
      return collective();
    case AllprofCallKind::split:
      if (calls_made_ < trace_->gathered.made[trace_->alone ? 0 : task_].size()) {
        const u32 number = trace_->gathered.made[trace_->alone ? 0 : task_][calls_made_++];
        if (number < GatheredCommunicators::unknown) made_.push_back(number);
      }
      return other_call();
    case AllprofCallKind::free:
      persistent_.erase(static_cast<u64>(line_.at('r')));
      return other_call();
    case AllprofCallKind::other:
      return other_call();
  }
}

/// Inside it nothing is computed.
void LiballprofReader::other_call() {
  const u32 name = liballprof_name(line_.name);
  TraceEvent& enter = add(Kind::enter);
  enter.name = name;
  enter.end_ns = begin_ns_;
  TraceEvent& leave = add(Kind::leave);
  leave.name = name;
  leave.begin_ns = end_ns_;
}

/// The communicator of the line: all tasks by its size and rank; others by the split that fits first.
LiballprofReader::Group LiballprofReader::group() {
  const auto& of = line_.communicator;
  mpich_ = mpich_ || of.handle == mpich_world || of.handle == mpich_self;
  const bool of_all = of.size == trace_->tasks;
  if (of_all && of.rank == task_) return {0, of.size, true, false};
  if (of.size == 1) return {0, 1, false, true};
  const auto fits = [&](u32 number) {
    const auto& members = trace_->gathered.communicators[number].members;
    return members.size() == of.size && members[of.rank] == task_;
  };
  const auto known = handles_.find(of.handle);
  if (known != handles_.end() && fits(known->second)) return {known->second, of.size, false, false};
  const auto fresh = std::ranges::find_if(made_, fits);
  if (fresh == made_.end() && of_all) return {0, of.size, true, false};
  if (fresh == made_.end())
    lines_.reject(fmt::format("a communicator of {} tasks whose members are not known", of.size),
                  fmt::format("{},{},{}", of.handle, of.rank, of.size),
                  fmt::format("that of all {} tasks, or one made of it by MPI_Comm_split", trace_->tasks));
  const u32 number = *fresh;
  made_.erase(fresh);
  handles_[of.handle] = number;
  return {number, of.size, false, false};
}

u32 LiballprofReader::task_of(const Group& group, i64 rank) const {
  if (rank < 0 || rank >= i64{group.ranks})
    lines_.reject("a rank that is not in its communicator", fmt::format("{}", rank),
                  fmt::format("0..{}", group.ranks - 1));
  if (group.all) return static_cast<u32>(rank);
  if (group.self) return task_;
  return trace_->gathered.communicators[group.number].members[static_cast<std::size_t>(rank)];
}

u64 LiballprofReader::bytes(i64 count, i64 size) const {
  if (count < 0 || size < 0) lines_.reject("a negative size", fmt::format("{}", std::min(count, size)), "0 or more");
  if (size > 0 && static_cast<u64>(count) > max_trace_bytes / static_cast<u64>(size))
    lines_.reject("more bytes than a message may have", fmt::format("{} of {}", count, size),
                  fmt::format("at most {}", max_trace_bytes));
  return static_cast<u64>(count) * static_cast<u64>(size);
}

/// Open MPI: any -1, none -2; MPICH the other way round.
bool LiballprofReader::is_null(i64 partner, bool sends) const {
  return partner < 0 && (sends || partner == (mpich_ ? -1 : -2));
}

/// False if its partner is MPI_PROC_NULL.
bool LiballprofReader::message(Kind kind, char count, char type, char partner, char tag) {
  const Group of = group();
  const bool sends = kind == Kind::send || kind == Kind::isend;
  if (is_null(line_.at(partner), sends)) return false;
  const i64 written_tag = line_.at(tag);
  if (written_tag > i64{max_trace_tag}) lines_.reject("tag is too large", fmt::format("{}", written_tag), "32 bits");
  TraceEvent& event = add(kind);
  event.peer = line_.at(partner) < 0 ? TraceEvent::any : task_of(of, line_.at(partner));
  event.tag = written_tag >= 0 ? static_cast<u32>(written_tag) : sends ? 0 : TraceEvent::any;
  event.communicator = of.number;
  event.bytes = bytes(line_.at(count), line_.at(type));
  event.synchronous = line_.name == "MPI_Ssend" || line_.name == "MPI_Issend" || line_.name == "MPI_Ssend_init";
  return true;
}

/// Whatever the request was used for before is over.
void LiballprofReader::start(u64 address, const TraceEvent& event, bool sends) {
  const u64 before = requests_.find(address);
  if (before != TraceEvent::no_request) {
    if (requests_.at(before).receives || requests_.at(before).tested)
      end_request(before, false);
    else
      requests_.end(before);
  }
  if (requests_.size() >= Requests::most)
    lines_.reject(fmt::format("more than {} requests that nothing waits for", Requests::most), line_.name, "waits");
  const u32 none = TraceEvent::any;
  const bool call = event.kind == Kind::collective;
  const u64 number = requests_.start({address, !sends, call ? none : event.peer, call ? none : event.tag, false});
  queue(task_, event).request = number;
}

void LiballprofReader::end_request(u64 number, bool continues) {
  const Requests::Request request = requests_.end(number);
  TraceEvent& event = add(Kind::wait);
  event.continues = continues;
  event.request = number;
  event.peer = request.receives ? request.peer : TraceEvent::any;
  event.tag = request.receives ? request.tag : TraceEvent::any;
  event.bytes = TraceEvent::unknown_bytes;
}

/// Behind the requests that a call names, of which the first lies there.
u64 LiballprofReader::end_of_requests(u64 first) const {
  const i64 count = line_.call->arguments.starts_with('r') ? 1 : line_.at('n');
  if (count < 0 || count > (i64{1} << 32))
    lines_.reject("no number of requests", fmt::format("{}", count), "0 or more");
  const u64 bytes = static_cast<u64>(count) * (mpich_ ? 4 : 8);
  return bytes > ~u64{0} - first ? ~u64{0} : first + bytes;
}

void LiballprofReader::wait() {
  const u64 first = static_cast<u64>(line_.at('r'));
  std::vector<u64> numbers = requests_.between(first, end_of_requests(first));
  if (line_.call->kind == AllprofCallKind::test) {
    for (const u64 number : numbers) requests_.at(number).tested = true;
    return;
  }
  if (line_.call->kind == AllprofCallKind::wait_one && !numbers.empty()) numbers = {std::ranges::min(numbers)};
  for (std::size_t i = 0; i < numbers.size(); ++i) end_request(numbers[i], i > 0);
}

void LiballprofReader::collective() {
  const Group of = group();
  if (of.self) return other_call();
  TraceEvent event;
  event.kind = Kind::collective;
  event.begin_ns = begin_ns_;
  event.end_ns = end_ns_;
  event.operation = mpi_collective(line_.name).value();
  event.communicator = of.number;
  bool at_root = false;
  if (line_.call->arguments.find('R') != std::string_view::npos) {
    event.root = task_of(of, line_.at('R'));
    at_root = event.root == task_;
  }
  for (const auto* list : {&line_.sent, &line_.received}) {
    if (!list->empty() && list->size() != of.ranks)
      lines_.reject(fmt::format("{} with {} counts", line_.name, list->size()), line_.name,
                    fmt::format("{}, as many as its communicator has tasks", of.ranks));
  }
  collective_sizes(event, at_root);
  if (line_.call->arguments.ends_with('r')) return start(static_cast<u64>(line_.at('r')), event, false);
  queue(task_, std::move(event));
}

/// Sizes of a call. In place, only what is received says how much there is, so that it goes first wherever it is given.
void LiballprofReader::collective_sizes(TraceEvent& event, bool at_root) {
  const auto sent = [&] { return bytes(line_.at('n'), line_.at('t')); };
  const auto received = [&] { return bytes(line_.at('N'), line_.at('T')); };
  const auto list = [&](const std::vector<i64>& counts, char type) {
    std::vector<u64> result;
    for (const i64 count : counts) result.push_back(bytes(count, line_.at(type)));
    return result;
  };
  switch (event.operation) {
    case Collective::barrier:
      break;
    case Collective::gather:
      event.bytes = at_root ? received() : sent();
      break;
    case Collective::scatter:
      event.bytes = at_root ? sent() : received();
      break;
    case Collective::allgather:
    case Collective::all_to_all:
      event.bytes = received();
      break;
    case Collective::gatherv:
    case Collective::allgatherv:
      event.bytes = sent();
      if (event.operation == Collective::gatherv && !at_root) break;
      event.received = list(line_.received, 'T');
      event.bytes_received = sum_of_counts(event.received);
      break;
    case Collective::scatterv:
      event.bytes_received = received();
      if (!at_root) break;
      event.sent = list(line_.sent, 't');
      event.bytes = sum_of_counts(event.sent);
      break;
    case Collective::all_to_allv:
      event.sent = list(line_.sent, 't');
      event.received = list(line_.received, 'T');
      event.bytes = sum_of_counts(event.sent);
      event.bytes_received = sum_of_counts(event.received);
      break;
    case Collective::reduce_scatter: {
      event.received = list(line_.received, 'T');
      const u64 all = sum_of_counts(event.received);
      event.bytes = all == TraceEvent::unknown_bytes ? all : (all + event.received.size() - 1) / event.received.size();
      break;
    }
    default:
      event.bytes = sent();
  }
}

}  // namespace weft::workloads
