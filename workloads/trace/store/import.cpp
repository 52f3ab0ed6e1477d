// Reading shares of a trace, and putting their indices together.
#include "workloads/trace/store/import.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/fnv1a.hpp"
#include "workloads/trace/store/store_writer.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_hashed_bytes = u64{1} << 20, least_hashed_bytes = 4096;
constexpr u64 events_between_reports = u64{1} << 16;

/// Continues `hash` with some bytes of a file.
u64 hash_piece(int descriptor, u64 offset, u64 count, u64 hash) {
  std::array<char, 64 * 1024> buffer;
  while (count > 0) {
    const ssize_t got =
        ::pread(descriptor, buffer.data(), std::min<u64>(count, buffer.size()), static_cast<off_t>(offset));
    if (got <= 0) break;
    hash = fnv1a({buffer.data(), static_cast<std::size_t>(got)}, hash);
    offset += static_cast<u64>(got);
    count -= static_cast<u64>(got);
  }
  return hash;
}

}  // namespace

std::optional<TraceIdentity> identity_of(const std::vector<std::string>& files) {
  TraceIdentity identity;
  identity.hash = fnv1a({});
  // The more files, the less is hashed of each: a start must not take long.
  const u64 hashed_bytes = std::max(most_hashed_bytes / files.size(), least_hashed_bytes);
  for (const std::string& path : files) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
    struct stat status = {};
    const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    if (regular) {
      const u64 bytes = static_cast<u64>(status.st_size);
      identity.bytes += bytes;
      identity.modified_ns = std::max(identity.modified_ns, static_cast<u64>(status.st_mtim.tv_sec) * 1'000'000'000 +
                                                                static_cast<u64>(status.st_mtim.tv_nsec));
      identity.hash = hash_piece(descriptor, 0, std::min(bytes, hashed_bytes), identity.hash ^ bytes);
      if (bytes > hashed_bytes) {
        const u64 rest = std::min(bytes - hashed_bytes, hashed_bytes);
        identity.hash = hash_piece(descriptor, bytes - rest, rest, identity.hash);
      }
    }
    ::close(descriptor);
    if (!regular) return {};
  }
  return identity;
}

StoreIndex import_share(const TraceSource& source, u32 share, u32 shares, StoreFile& file, const KeepTask& keep,
                        const ImportWatch& watch) {
  StoreWriter writer(file, share, source.has_times(), keep);
  u32 tasks = 0;
  u64 self_sends = 0, self_receives = 0, events = 0;
  TraceRecord record;
  for (u32 part = share; part < source.parts(); part += shares) {
    const auto reader = source.open(part);
    while (reader->next(record)) {
      writer.add(record, part, reader->position());
      if (++events % events_between_reports == 0 && watch.progress) watch.progress(events);
    }
    tasks = std::max(tasks, reader->tasks());
    self_sends += reader->self_sends();
    self_receives += reader->self_receives();
  }
  StoreIndex index = writer.finish();
  index.first_block.resize(std::max<std::size_t>(index.first_block.size(), std::size_t{tasks} + 1),
                           index.first_block.back());
  index.tasks = std::max(tasks, index.tasks);
  index.self_sends = self_sends;
  index.self_receives = self_receives;
  index.in_order = source.in_order();
  index.files = 1;
  if (share == 0) {
    index.communicators = source.communicators();
    index.names = source.names();
    index.notes = source.notes();
  }
  return index;
}

StoreIndex merged(std::vector<StoreIndex> shares) {
  WEFT_ASSERT(!shares.empty());
  StoreIndex all;
  all.format = shares[0].format;
  all.identity = shares[0].identity;
  all.communicators = std::move(shares[0].communicators);
  all.names = std::move(shares[0].names);
  all.notes = std::move(shares[0].notes);
  all.has_times = shares[0].has_times;
  all.in_order = shares[0].in_order;
  for (const StoreIndex& one : shares) {
    all.tasks = std::max(all.tasks, one.tasks);
    all.events += one.events;
    all.self_sends += one.self_sends;
    all.self_receives += one.self_receives;
    all.requests += one.requests;
    all.end_ns = std::max(all.end_ns, one.end_ns);
    if (one.message.amount > all.message.amount) all.message = one.message;
    if (one.computation.amount > all.computation.amount) all.computation = one.computation;
    all.files += one.files;
  }
  for (u32 task = 0; task < all.tasks; ++task) {
    const std::size_t first = all.blocks.size();
    all.first_block.push_back(first);
    for (const StoreIndex& one : shares) {
      if (task >= one.tasks) continue;
      for (u64 b = one.first_block[task]; b < one.first_block[task + std::size_t{1}]; ++b)
        all.blocks.push_back(one.blocks[b]);
    }
    // Parts of a task come in their order; within a part blocks are in order already.
    std::stable_sort(all.blocks.begin() + static_cast<std::ptrdiff_t>(first), all.blocks.end(),
                     [](const StoreBlock& a, const StoreBlock& b) { return a.part < b.part; });
  }
  all.first_block.push_back(all.blocks.size());
  return all;
}

}  // namespace weft::workloads
