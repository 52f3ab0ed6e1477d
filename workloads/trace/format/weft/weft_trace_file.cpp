// Files of weft's tracer; see the header.
#include "workloads/trace/format/weft/weft_trace_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

using records::BlockHeader;
using records::FileHeader;
using records::State;

constexpr u32 most_threads = 1U << 16;

/// Members as in records::Definition.
std::vector<u32> members_of(RecordFields& fields, u32 ranks) {
  std::vector<u32> members(fields.number(max_trace_tasks));
  i64 next = 0;
  for (u32& member : members) {
    const i64 step = fields.signed_number();
    if (step < -2 * i64{max_trace_tasks} || step > i64{max_trace_tasks})
      fields.reject(fmt::format("a step of {} between members of a communicator", step));
    const i64 rank = next + step;
    if (rank >= i64{ranks})
      fields.reject(fmt::format("member {} of a communicator; expected one below {}", rank, ranks));
    member = rank < 0 ? RecordedCommunicator::no_task : static_cast<u32>(rank);
    next = rank + 1;
  }
  return members;
}

void read_definitions(const RecordBytes& bytes, const RecordBlock& block, RecordFile& file) {
  std::vector<u8> content;
  read_block(bytes, block, content);
  RecordFields fields(bytes, content, block.offset + sizeof(BlockHeader));
  while (!fields.at_end()) {
    const u8 kind = fields.byte();
    if (kind == static_cast<u8>(records::Definition::mark)) {
      file.marks.push_back(fields.signed_number());
    } else if (kind == static_cast<u8>(records::Definition::communicator)) {
      RecordedCommunicator communicator;
      communicator.number = static_cast<u32>(fields.number(~u32{0}));
      const u8 flags = fields.byte();
      communicator.is_internal = (flags & records::communicator_is_internal) != 0;
      communicator.is_inter = (flags & records::communicator_is_inter) != 0;
      communicator.members = members_of(fields, file.header.ranks);
      communicator.others = members_of(fields, file.header.ranks);
      if (communicator.members.empty()) fields.reject("a communicator without members");
      file.communicators.push_back(std::move(communicator));
    } else {
      fields.reject(fmt::format("definition of kind {}; expected 1 or 2", kind));
    }
  }
}

FileHeader header_of(const RecordBytes& bytes) {
  FileHeader header = {};
  if (bytes.size() < sizeof header) bytes.reject(bytes.size(), "the file ends inside of its header");
  bytes.read(0, &header, sizeof header);
  if (std::memcmp(header.magic, records::file_magic, sizeof header.magic) != 0)
    bytes.reject(0, "no header of weft's tracer (WEFTREC1); if the file is compressed, decompress it");
  if (header.checksum != records::sum_of(header) || header.header_bytes != sizeof header)
    bytes.reject(0, "the header is damaged (its checksum differs)");
  if (header.ranks == 0 || header.ranks > max_trace_tasks || header.rank >= header.ranks)
    bytes.reject(0, fmt::format("rank {} of {} ranks", header.rank, header.ranks));
  return header;
}

/// What is missing of a recording that is not complete. `rest`: bytes of the file after its last whole block.
std::string note_of(const RecordFile& file, u64 blocks, u64 rest) {
  const FileHeader& header = file.header;
  const std::string until =
      fmt::format("rank {}: recorded until {:.6f} s", header.rank, static_cast<double>(header.end_ns) * 1e-9);
  if (header.state == State::cannot_write)
    return fmt::format("{}; the {} records after that are missing ({})", until, header.lost,
                       std::strerror(header.error));
  if (header.state == State::recording) {
    return fmt::format(
        "rank {}: ended from outside after {} blocks{}; what was not yet in a block is missing, at most "
        "{} bytes of each thread's records",
        header.rank, blocks, rest > 0 ? fmt::format(" and {} bytes of one that is not whole", rest) : "",
        header.block_bytes);
  }
  if (header.state == State::aborted) return until + ", where the program called MPI_Abort";
  if (header.state == State::exited) return until + ", where the program ended without MPI_Finalize";
  return "";
}

}  // namespace

RecordBytes::RecordBytes(const TraceInput& input, std::size_t number) : name_(input.files.at(number)) {
  if (input.memory) {
    memory_ = input.memory;
    size_ = memory_->size();
    return;
  }
  if (input.once)
    throw InputError(fmt::format("{}: what weft's tracer wrote cannot be read from a pipe; give the folder", name_));
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
    throw InputError(fmt::format("{}: cannot be read ({})", name_, std::strerror(errno)));
  size_ = static_cast<u64>(status.st_size);
}

RecordBytes::~RecordBytes() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RecordBytes::read(u64 offset, void* to, std::size_t count) const {
  if (offset > size_ || count > size_ - offset) reject(size_, "the file ends too early");
  if (memory_) {
    if (count > 0) std::memcpy(to, memory_->data() + offset, count);
    return;
  }
  auto* at = static_cast<char*>(to);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, at, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) reject(offset, got == 0 ? "the file ends too early" : std::strerror(errno));
    at += got;
    offset += static_cast<u64>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void RecordBytes::reject(u64 offset, const std::string& problem) const {
  throw InputError(fmt::format("{}: byte {}: {}", name_, offset, problem));
}

u8 RecordFields::byte() {
  if (at_end()) reject("the block ends inside of a record");
  return (*bytes_)[at_++];
}

u64 RecordFields::number(u64 most) {
  u64 value = 0;
  for (u32 shift = 0;; shift += 7) {
    const u8 part = byte();
    if (shift == 63 && part > 1) reject("an integer of more than 64 bits");
    value |= u64{part & 0x7FU} << shift;
    if (part < 0x80) break;
  }
  if (value > most) reject(fmt::format("an integer that is too large (got {}; expected at most {})", value, most));
  return value;
}

void read_block(const RecordBytes& file, const RecordBlock& block, std::vector<u8>& bytes) {
  bytes.resize(block.header.bytes);
  file.read(block.offset + sizeof block.header, bytes.data(), bytes.size());
  if (block.header.checksum != records::sum_of(block.header, bytes.data()))
    file.reject(block.offset, "the block is damaged (its checksum differs)");
}

RecordFile read_record_file(const TraceInput& input, std::size_t number) {
  const RecordBytes bytes(input, number);
  RecordFile file;
  file.header = header_of(bytes);
  file.size = bytes.size();
  std::map<u32, u32> next_block;  // of each thread
  u64 at = sizeof(FileHeader), blocks = 0;
  const bool may_end_early = file.header.state == State::recording || file.header.state == State::cannot_write;
  while (at < file.size) {
    RecordBlock block{at, {}};
    const u64 rest = file.size - at;
    bool is_whole = rest >= sizeof block.header;
    if (is_whole) {
      bytes.read(at, &block.header, sizeof block.header);
      // A hole, where a thread was about to write.
      const bool is_hole = block.header.magic == 0 && may_end_early;
      if (block.header.magic != records::block_magic && !is_hole) bytes.reject(at, "here should begin a block");
      is_whole = !is_hole && block.header.bytes <= rest - sizeof block.header;
    }
    if (!is_whole) {
      if (!may_end_early) bytes.reject(file.size, "the file ends inside of a block");
      break;
    }
    if (block.header.bytes > records::most_record_bytes)
      bytes.reject(
          at, fmt::format("a block of {} bytes; expected at most {}", block.header.bytes, records::most_record_bytes));
    if (block.header.kind == records::BlockKind::definitions) {
      read_definitions(bytes, block, file);
    } else if (block.header.kind == records::BlockKind::records) {
      if (block.header.thread >= most_threads)
        bytes.reject(at, fmt::format("a block of thread {}; expected one below {}", block.header.thread, most_threads));
      if (u32& next = next_block[block.header.thread]; next++ != block.header.number)
        bytes.reject(
            at, fmt::format("block {} of thread {}; expected {}", block.header.number, block.header.thread, next - 1));
      file.blocks.push_back(block);
    } else {
      bytes.reject(at, fmt::format("a block of kind {}; expected 0 or 1", static_cast<u32>(block.header.kind)));
    }
    ++blocks;
    at += sizeof block.header + block.header.bytes;
  }
  if (!may_end_early && blocks != file.header.blocks)
    bytes.reject(file.size, fmt::format("{} blocks; the header says {}", blocks, file.header.blocks));
  file.note = note_of(file, blocks, file.size - at);
  return file;
}

}  // namespace weft::workloads
