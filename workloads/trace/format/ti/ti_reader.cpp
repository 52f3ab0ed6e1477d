// Lines of time-independent traces as events; collective calls are in ti_collectives.cpp. See the header.
#include "workloads/trace/format/ti/ti_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/words.hpp"

namespace weft::workloads {
namespace {

constexpr std::pair<std::string_view, TiAction> ti_actions[] = {
    {"init", TiAction::init},          {"finalize", TiAction::finalize}, {"compute", TiAction::compute},
    {"sleep", TiAction::sleep},        {"location", TiAction::ignored},  {"comm_size", TiAction::ignored},
    {"comm_split", TiAction::ignored}, {"comm_dup", TiAction::ignored},  {"send", TiAction::send},
    {"isend", TiAction::isend},        {"recv", TiAction::receive},      {"irecv", TiAction::ireceive},
    {"wait", TiAction::wait},          {"test", TiAction::test},         {"waitall", TiAction::waitall},
    {"waitany", TiAction::waitany},    {"sendrecv", TiAction::sendrecv},
};
constexpr double most_ti_count = 1ull << 40;
constexpr i64 ti_least_tag = -1'000;

/// SimGrid writes these as others.
bool has_ti_name(Collective operation) {
  return operation != Collective::all_to_allw && operation != Collective::reduce_scatter_block;
}

}  // namespace

std::string ti_name(Collective operation) {
  std::string name = lower(std::string(known(operation).mpi));
  std::erase(name, '_');
  return name;
}

TiCall ti_call(std::string_view name) {
  const std::string lower_name = lower(std::string(name.substr(0, 20)));
  const auto found = std::ranges::find(ti_actions, lower_name, &std::pair<std::string_view, TiAction>::first);
  if (found != std::end(ti_actions)) return {found->second};
  static const auto collectives = [] {
    std::array<std::string, collective_operations_known> names;
    for (const KnownCollective& known : known_collectives)
      names[static_cast<std::size_t>(known.operation)] = has_ti_name(known.operation) ? ti_name(known.operation) : "";
    return names;
  }();
  const auto operation = lower_name.empty() ? collectives.end() : std::ranges::find(collectives, lower_name);
  if (operation == collectives.end()) return {TiAction::unknown};
  return {TiAction::collective, static_cast<Collective>(operation - collectives.begin())};
}

TiReader::TiReader(std::unique_ptr<ByteSource> source, TiTrace trace, u32 own)
    : lines_(std::move(source), longest_line), trace_(trace), own_(own), tasks_(trace.tasks) {}

bool TiReader::read_more() {
  if (!ended_ && take_line()) return true;
  ended_ = true;
  while (queued() == 0 && ending_ < tasks_) {
    task_ = ending_++;
    const auto found = states_.find(task_);
    if (found == states_.end()) continue;
    state_ = &found->second;
    end_tested();
  }
  return queued() > 0;
}

/// False at the end.
bool TiReader::take_line() {
  std::string_view line;
  if (!lines_.next_but("#", line)) return false;
  split_words(line, line_blanks, fields_);
  task_ = rank_at(0, "RANK");
  if (own_ != TraceEvent::any && task_ != own_)
    lines_.reject("a line of another rank in a file of its own", fields_[0], fmt::format("{}", own_));
  state_ = &states_[task_];
  if (fields_.size() < 2) lines_.reject("no action", line, "RANK ACTION ARGUMENT...");
  const TiCall call = ti_call(fields_[1]);
  if (call.action == TiAction::unknown)
    lines_.reject("unknown action", fields_[1],
                  "init, finalize, compute, sleep, send, isend, recv, irecv, wait, test, waitall, sendRecv or a "
                  "collective operation");
  take(call);
  return true;
}

void TiReader::take(const TiCall& call) {
  switch (call.action) {
    case TiAction::ignored:
    case TiAction::unknown:
      return;
    case TiAction::init:
      expect(0, 1);
      state_->default_type = fields_.size() > 2 ? ti_double : ti_byte;
      return;
    case TiAction::finalize:
      return end_tested();
    case TiAction::compute:
      expect(1, 1);
      return compute(number(2, 0, static_cast<double>(max_trace_compute_ns), "FLOPS"));
    case TiAction::sleep:
      expect(1, 1);
      return compute(1e9 * number(2, 0, static_cast<double>(max_trace_compute_ns) / 1e9, "SECONDS"));
    case TiAction::send:
    case TiAction::isend:
    case TiAction::receive:
    case TiAction::ireceive:
      return message(call.action);
    case TiAction::sendrecv:
      return send_receive();
    case TiAction::wait:
    case TiAction::test:
    case TiAction::waitall:
    case TiAction::waitany:
      return wait(call.action);
    case TiAction::collective:
      return collective(call.operation);
  }
}

TraceEvent& TiReader::add(Kind kind) {
  TraceEvent& event = queue(task_);
  event.kind = kind;
  return event;
}

/// Arguments behind the action.
void TiReader::expect(std::size_t least, std::size_t most) const {
  const std::size_t given = fields_.size() - 2;
  if (given >= least && given <= most) return;
  lines_.reject(fmt::format("{} with {} arguments", fields_[1], given), fields_[1],
                least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
}

double TiReader::number(std::size_t field, double least, double most, const char* what) const {
  double value = 0;
  if (!read_number(fields_[field], value) || value < least || value > most)
    lines_.reject(fmt::format("{} is no number that it may be", what), fields_[field],
                  fmt::format("{} to {}", least, most));
  return value;
}

i64 TiReader::integer(std::size_t field, i64 least, i64 most, const char* what) const {
  const double value = number(field, static_cast<double>(least), static_cast<double>(most), what);
  if (value != std::floor(value)) lines_.reject(fmt::format("{} is no whole number", what), fields_[field], "one");
  return static_cast<i64>(value);
}

u32 TiReader::rank_at(std::size_t field, const char* what) {
  const u32 most = trace_.tasks == TiTrace::unknown_tasks ? max_trace_tasks : trace_.tasks;
  const u32 rank = static_cast<u32>(integer(field, 0, i64{most} - 1, what));
  tasks_ = std::max(tasks_, rank + 1);
  return rank;
}

/// Bytes of the type in a field, or of the usual one if there is no such field.
u64 TiReader::type_bytes(std::size_t field) const {
  if (field >= fields_.size()) return ti_type_bytes[state_->default_type];
  const i64 type = integer(field, 0, i64{ti_type_bytes.size()} - 1, "data type");
  const u64 bytes = ti_type_bytes[static_cast<std::size_t>(type)];
  return bytes == 0 ? TraceEvent::unknown_bytes : bytes;
}

u64 TiReader::data_bytes(std::size_t count_field, u64 each) const {
  const double count = number(count_field, 0, most_ti_count, "count");
  if (each == TraceEvent::unknown_bytes) return each;
  const u64 bytes = static_cast<u64>(count) * each;
  if (bytes > max_trace_bytes)
    lines_.reject("more bytes than a message may have", fields_[count_field],
                  fmt::format("at most {}", max_trace_bytes));
  return bytes;
}

void TiReader::compute(double nanoseconds) { add(Kind::compute).bytes = static_cast<u64>(std::llround(nanoseconds)); }

/// What a reduction computes, if it computes anything.
void TiReader::flops(std::size_t field) {
  const double amount = number(field, 0, static_cast<double>(max_trace_compute_ns), "FLOPS");
  if (amount > 0) compute(amount);
}

void TiReader::message(TiAction action) {
  const std::size_t tag_fields = trace_.old ? 0 : 1;
  expect(2 + tag_fields, 3 + tag_fields);
  const bool sends = action == TiAction::send || action == TiAction::isend;
  const bool later = action == TiAction::isend || action == TiAction::ireceive;
  const i64 partner = integer(2, ti_proc_null, i64{max_trace_tasks}, "partner");
  const i64 tag = trace_.old ? 0 : integer(3, ti_least_tag, i64{max_trace_tag}, "tag");
  const std::size_t count = 3 + tag_fields;
  const u64 each = type_bytes(count + 1);
  if (partner == ti_proc_null || (sends && partner < 0)) return;
  const bool any = partner == -1 || partner == ti_any_source;
  if (partner < 0 && !any) lines_.reject("partner is no rank", fields_[2], "a rank, -1 or -555 (any)");
  const u32 peer = any ? TraceEvent::any : rank_at(2, "partner");
  const bool size_unknown = !sends && number(count, -most_ti_count, most_ti_count, "count") <= 0;
  const u32 event_tag = tag < 0 ? (sends ? 0 : TraceEvent::any) : static_cast<u32>(tag);
  if (later) {
    // What was tested and never waited for must have been over, since its place is taken.
    const i64 own = task_;
    const std::tuple<i64, i64, i64> key{sends ? own : partner, sends ? partner : own, tag};
    const u64 same = state_->requests.find(key);
    if (same != TraceEvent::no_request && state_->requests.at(same).tested)
      end_request(same, std::get<0>(key), tag, false);
    if (pending_ >= Requests::most)
      lines_.reject(fmt::format("more than {} requests that nothing waits for", Requests::most), fields_[1], "waits");
    ++pending_;
    const u64 request = state_->requests.start({key, !sends, peer, event_tag, false});
    TraceEvent& event = add(sends ? Kind::isend : Kind::ireceive);
    event.request = request;
  } else {
    add(sends ? Kind::send : Kind::receive);
  }
  TraceEvent& event = last_queued();
  event.peer = peer;
  event.tag = event_tag;
  event.bytes = size_unknown ? TraceEvent::unknown_bytes : data_bytes(count, each);
}

void TiReader::send_receive() {
  expect(4, 6);
  const i64 to = integer(3, ti_proc_null, i64{max_trace_tasks}, "partner");
  const i64 from = integer(5, ti_proc_null, i64{max_trace_tasks}, "partner");
  if (to >= 0) {
    TraceEvent& send = add(Kind::send);
    send.peer = rank_at(3, "partner");
    send.bytes = data_bytes(2, type_bytes(6));
  }
  if (from == ti_proc_null) return;
  TraceEvent& receive = add(Kind::receive);
  receive.continues = queued() > 1;
  receive.peer = from < 0 ? TraceEvent::any : rank_at(5, "partner");
  receive.bytes = data_bytes(4, type_bytes(7));
}

void TiReader::end_request(u64 number, i64 source, i64 tag, bool continues) {
  --pending_;
  const Requests::Request request = state_->requests.end(number);
  TraceEvent& event = add(Kind::wait);
  event.continues = continues;
  event.request = number;
  event.bytes = TraceEvent::unknown_bytes;
  event.peer = event.tag = TraceEvent::any;
  if (!request.receives) return;
  event.peer = request.peer == TraceEvent::any && source >= 0 ? static_cast<u32>(source) : request.peer;
  event.tag = request.tag == TraceEvent::any && tag >= 0 ? static_cast<u32>(tag) : request.tag;
}

/// Requests that were tested and never waited for are over at the latest here.
void TiReader::end_tested() {
  std::vector<u64> tested = std::move(state_->tested);
  state_->tested.clear();
  std::ranges::sort(tested);
  for (const u64 number : tested) {
    if (state_->requests.has(number)) end_request(number, -1, -1, false);
  }
}

/// The oldest receive that a message of `source` with `tag` fits.
u64 TiReader::receive_of(i64 source, i64 tag) const {
  u64 oldest = TraceEvent::no_request;
  for (const i64 from : {source, i64{-1}, ti_any_source}) {
    const i64 own = task_;
    oldest = std::min({oldest, state_->requests.find({from, own, tag}),
                       state_->requests.oldest({from, own, ti_least_tag}, {from, own, 0})});
  }
  return oldest;
}

void TiReader::wait(TiAction action) {
  Requests& requests = state_->requests;
  if (action == TiAction::waitall) {
    while (requests.size() > 0) end_request(requests.all().begin()->first, -1, -1, queued() > 0);
    return;
  }
  if (requests.size() == 0) return;  // a test before may have met it
  if (action == TiAction::waitany) return end_request(requests.all().begin()->first, -1, -1, false);
  u64 number = requests.all().rbegin()->first;
  i64 source = -1, tag = -1;
  if (!trace_.old) {
    expect(3, 3);
    const i64 last = i64{trace_.tasks == TiTrace::unknown_tasks ? max_trace_tasks : trace_.tasks} - 1;
    source = integer(2, ti_proc_null, last, "source");
    const i64 destination = integer(3, ti_proc_null, last, "destination");
    tag = integer(4, ti_least_tag, i64{max_trace_tag}, "tag");
    number = requests.find({source, destination, tag});
    if (number == TraceEvent::no_request && destination == i64{task_}) number = receive_of(source, tag);
    if (number == TraceEvent::no_request) return;
  } else {
    expect(0, 3);
  }
  if (action != TiAction::test) return end_request(number, source, tag, false);
  bool& tested = requests.at(number).tested;
  if (tested) return;
  tested = true;
  state_->tested.push_back(number);
  // Requests that were waited for need not be remembered.
  if (state_->tested.size() > 2 * requests.size() + 16)
    std::erase_if(state_->tested, [&](u64 each) { return !requests.has(each); });
}

}  // namespace weft::workloads
