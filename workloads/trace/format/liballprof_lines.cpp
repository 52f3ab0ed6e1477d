// Lines of liballprof: which calls there are, and their arguments. The order is that of C, as its wrappers print them.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/base/text/parsed.hpp"
#include "workloads/trace/format/liballprof_reader.hpp"

namespace weft::workloads {
namespace {

using AllprofKind = LiballprofCall::Kind;

constexpr std::size_t longest_liballprof_line = std::size_t{16} << 20;

constexpr LiballprofCall liballprof_calls[] = {
    {"MPI_Send", AllprofKind::send, "bntdgc"},
    {"MPI_Bsend", AllprofKind::send, "bntdgc"},
    {"MPI_Ssend", AllprofKind::send, "bntdgc"},
    {"MPI_Rsend", AllprofKind::send, "bntdgc"},
    {"MPI_Isend", AllprofKind::isend, "bntdgcr"},
    {"MPI_Ibsend", AllprofKind::isend, "bntdgcr"},
    {"MPI_Issend", AllprofKind::isend, "bntdgcr"},
    {"MPI_Irsend", AllprofKind::isend, "bntdgcr"},
    {"MPI_Recv", AllprofKind::receive, "bntdgcb"},
    {"MPI_Irecv", AllprofKind::ireceive, "bntdgcr"},
    {"MPI_Send_init", AllprofKind::persistent_send, "bntdgcr"},
    {"MPI_Bsend_init", AllprofKind::persistent_send, "bntdgcr"},
    {"MPI_Ssend_init", AllprofKind::persistent_send, "bntdgcr"},
    {"MPI_Rsend_init", AllprofKind::persistent_send, "bntdgcr"},
    {"MPI_Recv_init", AllprofKind::persistent_receive, "bntdgcr"},
    {"MPI_Start", AllprofKind::start, "r"},
    {"MPI_Startall", AllprofKind::start, "nr"},
    {"MPI_Sendrecv", AllprofKind::sendrecv, "bntdgbNTDGcb"},
    {"MPI_Sendrecv_replace", AllprofKind::sendrecv, "bntdgDGcb"},
    {"MPI_Wait", AllprofKind::wait, "rb"},
    {"MPI_Waitall", AllprofKind::wait, "nrb"},
    {"MPI_Waitany", AllprofKind::wait_one, "nrbb"},
    {"MPI_Waitsome", AllprofKind::wait_one, "nrbbb"},
    {"MPI_Test", AllprofKind::test, "rbb"},
    {"MPI_Testall", AllprofKind::test, "nrbb"},
    {"MPI_Testany", AllprofKind::test, "nrbbb"},
    {"MPI_Testsome", AllprofKind::test, "nrbbb"},
    {"MPI_Probe", AllprofKind::probe, "dgcb"},
    {"MPI_Barrier", AllprofKind::collective, "c"},
    {"MPI_Bcast", AllprofKind::collective, "bntRc"},
    {"MPI_Reduce", AllprofKind::collective, "bbntbRc"},
    {"MPI_Allreduce", AllprofKind::collective, "bbntbc"},
    {"MPI_Scan", AllprofKind::collective, "bbntbc"},
    {"MPI_Exscan", AllprofKind::collective, "bbntbc"},
    {"MPI_Gather", AllprofKind::collective, "bntbNTRc"},
    {"MPI_Scatter", AllprofKind::collective, "bntbNTRc"},
    {"MPI_Allgather", AllprofKind::collective, "bntbNTc"},
    {"MPI_Alltoall", AllprofKind::collective, "bntbNTc"},
    {"MPI_Gatherv", AllprofKind::collective, "bntbLxTRc"},
    {"MPI_Scatterv", AllprofKind::collective, "blxtbNTRc"},
    {"MPI_Allgatherv", AllprofKind::collective, "bntbLxTc"},
    {"MPI_Alltoallv", AllprofKind::collective, "blxtbLxTc"},
    {"MPI_Reduce_scatter", AllprofKind::collective, "bbLTbc"},
    {"MPI_Reduce_scatter_block", AllprofKind::collective, "bbntbc"},
    {"MPI_Ibarrier", AllprofKind::collective, "cr"},
    {"MPI_Ibcast", AllprofKind::collective, "bntRcr"},
    {"MPI_Ireduce", AllprofKind::collective, "bbntbRcr"},
    {"MPI_Iallreduce", AllprofKind::collective, "bbntbcr"},
    {"MPI_Igather", AllprofKind::collective, "bntbNTRcr"},
    {"MPI_Iscatter", AllprofKind::collective, "bntbNTRcr"},
    {"MPI_Iallgather", AllprofKind::collective, "bntbNTcr"},
    {"MPI_Ialltoall", AllprofKind::collective, "bntbNTcr"},
    {"MPI_Comm_split", AllprofKind::split, "cnNb"},
    {"MPI_Request_free", AllprofKind::free, "r"},
};

bool is_list(char letter) { return letter == 'l' || letter == 'L' || letter == 'x'; }

}  // namespace

const LiballprofCall* liballprof_call(std::string_view name) {
  const auto found = std::ranges::find(liballprof_calls, name, &LiballprofCall::name);
  return found == std::end(liballprof_calls) ? nullptr : found;
}

LiballprofLines::LiballprofLines(std::unique_ptr<ByteSource> source)
    : lines_(std::move(source), longest_liballprof_line) {}

bool LiballprofLines::next(LiballprofLine& line) {
  std::string_view text;
  if (!lines_.next_but("#", text)) return false;
  split_at(text, ':', fields_);
  if (!text.starts_with("MPI_") || fields_.size() < 3) reject("no call of MPI", text, "MPI_NAME:BEGIN:ARGUMENT...:END");
  line.name = fields_[0];
  line.call = liballprof_call(line.name);
  const auto time = [&](std::string_view field, bool& has, double& value) {
    has = field != "-";
    if (has && (!read_number(field, value) || value < 0 || value > 1e18))
      reject("a time that is no number", field, "microseconds, or -");
  };
  time(fields_[1], line.has_begin, line.begin_us);
  time(fields_.back(), line.has_end, line.end_us);
  if (line.call != nullptr) arguments(line);
  return true;
}

i64 LiballprofLines::integer(std::string_view text, const char* what) const {
  i64 value = 0;
  if (!read_number(text, value)) reject(fmt::format("{} is no whole number", what), text, "one");
  return value;
}

void LiballprofLines::arguments(LiballprofLine& line) {
  const std::string_view letters = line.call->arguments;
  const std::size_t lists = static_cast<std::size_t>(std::ranges::count_if(letters, is_list));
  const std::size_t given = fields_.size() - 3;
  line.lists = lists > 0 && given == letters.size() + lists;
  if (given != letters.size() && !line.lists)
    reject(fmt::format("{} with {} arguments", line.name, given), line.name, fmt::format("{}", letters.size()));
  line.sent.clear();
  line.received.clear();
  std::size_t at = 2;
  for (const char letter : letters) {
    const std::string_view field = fields_[at++];
    if (letter == 'b') continue;
    if (is_list(letter)) {
      if (!line.lists) continue;
      const std::string_view list = fields_[at++];
      if (letter == 'x') continue;
      split_at(list, ',', parts_);
      for (const std::string_view part : parts_)
        (letter == 'l' ? line.sent : line.received).push_back(integer(part, "a count"));
      continue;
    }
    i64& number = line.numbers[static_cast<std::size_t>(letter)];
    if (letter == 't' || letter == 'T' || letter == 'c') {
      split_at(field, ',', parts_);
      if (parts_.size() != 3)
        reject(letter == 'c' ? "no communicator" : "no data type", field,
               letter == 'c' ? "ID,RANK,SIZE" : "ID,SIZE,EXTENT");
      if (letter != 'c') {
        number = integer(parts_[1], "the size of a data type");
        continue;
      }
      const i64 rank = integer(parts_[1], "a rank"), size = integer(parts_[2], "the size of a communicator");
      if (size < 1 || size > i64{max_trace_tasks} || rank < 0 || rank >= size)
        reject("no rank of a communicator", field, fmt::format("ID,RANK,SIZE with ranks below {}", max_trace_tasks));
      line.communicator = {static_cast<u64>(integer(parts_[0], "a communicator")), static_cast<u32>(rank),
                           static_cast<u32>(size)};
      continue;
    }
    number = integer(field, "an argument");
  }
}

}  // namespace weft::workloads
