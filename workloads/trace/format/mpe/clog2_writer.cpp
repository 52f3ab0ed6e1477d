// Writes CLOG2 as mpe2-1.3 does: big-endian, blocks of 64 KiB.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "engine/base/error.hpp"
#include "workloads/trace/format/mpe/clog2_log.hpp"
#include "workloads/trace/format/mpe/mpe_writer.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t written_block_bytes = 65536;
constexpr double end_of_log_s = 1e8;
constexpr i32 world_created = 0, communicator_created = 100;
constexpr std::size_t identity_bytes = 32;

/// Where a task stands: in a communicator, or in that of all.
struct Place {
  u32 communicator = 0, rank = 0;
};

class Clog2Writer {
 public:
  Clog2Writer(const StoreIndex& index, const std::string& path)
      : index_(index), path_(path), file_(path, std::ios::binary | std::ios::trunc) {
    check();
    for (const TraceCommunicator& communicator : index.communicators) {
      auto& ranks = ranks_.emplace_back();
      for (u32 rank = 0; rank < communicator.members.size(); ++rank)
        ranks.emplace_back(communicator.members[rank], rank);
      std::ranges::sort(ranks);
    }
    file_.write(std::string(clog2_preamble_bytes, '\0').data(), clog2_preamble_bytes);
    begin_log();
  }

  void put(const MpeRecord& record) {
    const double seconds = static_cast<double>(record.time_ns) / 1e9;
    if (record.kind == MpeRecord::Kind::event) {
      const Place place = place_of(record.communicator, record.task);
      header(seconds, place, clog2_event);
      number(record.type);
      number(0);
      return;
    }
    u32 communicator = record.communicator;
    Place from = place_of(communicator, record.task), to = place_of(communicator, record.peer);
    if (from.communicator != to.communicator) {
      from = place_of(0, record.task);
      to = place_of(0, record.peer);
    }
    if (from.communicator != communicator) ++strangers_;
    header(seconds, from, clog2_message);
    number(record.kind == MpeRecord::Kind::sent ? -101 : -102);
    number(static_cast<i32>(to.communicator));
    number(static_cast<i32>(to.rank));
    number(static_cast<i32>(record.tag));
    number(static_cast<i32>(record.bytes));
    number(0);
  }

  void finish(const std::vector<MpeWrittenState>& states, const std::vector<MpeWrittenState>& moments) {
    for (const MpeWrittenState& state : states) {
      header(0, {}, clog2_state);
      number(static_cast<i32>(state.number));
      number(state.begin);
      number(state.end);
      number(0);
      text(colours[state.number % std::size(colours)], 24);
      text(state.text, 32);
      text("", 40);
    }
    for (const MpeWrittenState& moment : moments) {
      header(0, {}, clog2_event_definition);
      number(moment.begin);
      number(0);
      text("white", 24);
      text(moment.text, 32);
      text("", 40);
    }
    raw_header(end_of_log_s, {}, clog2_end_of_log);
    flush();
    number(static_cast<i32>(index_.communicators.size()));
    for (u32 communicator = 0; communicator < index_.communicators.size(); ++communicator) {
      identity(communicator);
      number(static_cast<i32>(communicator));
      number(1);
    }
    file_.write(block_.data(), static_cast<std::streamsize>(block_.size()));
    write_preamble(states, moments);
    file_.close();
    check();
  }
  [[nodiscard]] u64 strangers() const { return strangers_; }

 private:
  static constexpr const char* colours[] = {"red",  "blue", "green",  "yellow", "orange", "cyan",
                                            "pink", "gray", "purple", "brown",  "salmon", "maroon"};

  void begin_log() {
    for (u32 task = 0; task < index_.tasks; ++task) {
      header(0, {0, task}, clog2_time_shift);
      real(0);
      member({0, task}, world_created, 0, task, task);
    }
    for (const auto& [name, value] : {std::pair{"MPI_PROC_NULL", -1}, {"MPI_ANY_SOURCE", -2}, {"MPI_ANY_TAG", -1}}) {
      header(0, {}, clog2_constant);
      number(-201);
      number(value);
      text(name, 32);
    }
    for (u32 communicator = 1; communicator < index_.communicators.size(); ++communicator) {
      const std::vector<u32>& members = index_.communicators[communicator].members;
      for (u32 rank = 0; rank < members.size(); ++rank)
        member({0, members[rank]}, communicator_created, communicator, rank, members[rank]);
    }
  }
  void member(Place place, i32 how, u32 communicator, u32 rank, u32 world) {
    header(0, place, clog2_communicator);
    number(how);
    number(static_cast<i32>(communicator));
    number(static_cast<i32>(rank));
    number(static_cast<i32>(world));
    identity(communicator);
  }
  [[nodiscard]] Place place_of(u32 communicator, u32 task) const {
    if (communicator == 0 || communicator >= ranks_.size()) return {0, task};
    const auto& ranks = ranks_[communicator];
    const auto found = std::ranges::lower_bound(ranks, task, {}, &std::pair<u32, u32>::first);
    if (found == ranks.end() || found->first != task) return {0, task};
    return {communicator, found->second};
  }
  void header(double seconds, Place place, u32 type) {
    const std::size_t bytes = clog2_header_bytes + clog2_body_bytes[type];
    if (block_.size() + bytes + clog2_header_bytes >= written_block_bytes) {
      raw_header(seconds, {}, clog2_end_of_block);
      flush();
    }
    raw_header(seconds, place, type);
  }
  void raw_header(double seconds, Place place, u32 type) {
    real(seconds);
    number(static_cast<i32>(place.communicator));
    number(static_cast<i32>(place.rank));
    number(0);
    number(static_cast<i32>(type));
  }
  void number(i32 value) {
    u32 bits = static_cast<u32>(value);
    if constexpr (std::endian::native == std::endian::little) bits = __builtin_bswap32(bits);
    append(&bits, sizeof bits);
  }
  void real(double value) {
    u64 bits = std::bit_cast<u64>(value);
    if constexpr (std::endian::native == std::endian::little) bits = __builtin_bswap64(bits);
    append(&bits, sizeof bits);
  }
  void append(const void* from, std::size_t count) { block_.append(static_cast<const char*>(from), count); }
  void text(const std::string& value, std::size_t room) {
    const std::size_t count = std::min(value.size(), room - 1);
    block_.append(value, 0, count).append(room - count, '\0');
  }
  /// What tells a communicator from all others: a number, a time, a name.
  void identity(u32 communicator) {
    number(static_cast<i32>(communicator) + 1);
    real(0);
    text("weft", identity_bytes - sizeof(i32) - sizeof(double));
  }
  void flush() {
    block_.resize(written_block_bytes, '\0');
    file_.write(block_.data(), static_cast<std::streamsize>(block_.size()));
    check();
    block_.clear();
    ++blocks_;
  }
  void write_preamble(const std::vector<MpeWrittenState>& states, const std::vector<MpeWrittenState>& moments) {
    constexpr u64 unit = u64{1} << 30;
    const u64 table = clog2_preamble_bytes + blocks_ * written_block_bytes;
    const auto users =
        std::ranges::count_if(states, [](const MpeWrittenState& state) { return state.number >= mpe_reserved_states; });
    std::string head = "CLOG-02.44";
    head += '\0';
    const auto field = [&](const char* title, const std::string& value) {
      head.append(title).append("=").append(1, '\0').append(value).append(1, '\0');
    };
    field("is_big_endian", "TRUE ");
    field("is_finalzed", "TRUE ");
    field("block_size", fmt::format("{}", written_block_bytes));
    field("num_buffered_blocks", "128");
    field("max_comm_world_size", fmt::format("{}", index_.tasks));
    field("max_thread_count", "1");
    field("known_eventID_start", "0");
    field("user_eventID_start", "600");
    field("known_solo_eventID_start", "-10");
    field("user_solo_eventID_start", "5000");
    field("known_stateID_count", fmt::format("{}", mpe_reserved_states));
    field("user_stateID_count", fmt::format("{}", users));
    field("known_solo_eventID_count", "2");
    field("user_solo_eventID_count", fmt::format("{}", moments.size()));
    field("commtable_fptr", fmt::format("{}", table / unit));
    head += fmt::format("{}", unit) + '\0' + fmt::format("{}", table % unit) + '\0';
    file_.seekp(0);
    file_.write(head.data(), static_cast<std::streamsize>(head.size()));
  }
  void check() {
    if (!file_)
      throw SystemError(fmt::format("cannot write '{}' ({}); check the folder and the space on its disk", path_,
                                    std::strerror(errno)));
  }

  const StoreIndex& index_;
  std::string path_;
  std::ofstream file_;
  std::string block_;
  u64 blocks_ = 0, strangers_ = 0;
  std::vector<std::vector<std::pair<u32, u32>>> ranks_;  ///< [communicator] (task, rank), by task
};

}  // namespace

std::vector<std::string> write_clog2(const std::shared_ptr<const TraceStore>& store, const std::string& path) {
  MpeWriter records(store, MpeNumbering::from_zero);
  Clog2Writer file(store->index(), path);
  records.write([&](const MpeRecord& record) { file.put(record); });
  file.finish(records.states(), records.moments());
  std::vector<std::string> losses = records.losses();
  if (file.strangers() > 0)
    losses.push_back(
        fmt::format("the communicators of {} messages, of which a partner is no member", file.strangers()));
  return losses;
}

}  // namespace weft::workloads
