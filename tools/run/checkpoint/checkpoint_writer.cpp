// Writing of checkpoint files by all ranks together through parallel HDF5; of ranks that are threads, which HDF5 does
// not know, the first writes what the others send it. Layout: attributes of the root for the
// header; /config, /version and, with plug-ins, /plugins as text; /run; /entities/ids and for each column
// /entities/NAME_bytes (lengths) and /entities/NAME (records, one after the other); /events/K for each event type.
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <hdf5.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/hash.hpp"
#include "engine/digest_sum.hpp"
#include "engine/transport_parts.hpp"
#include "tools/run/checkpoint/checkpoint_digest.hpp"
#include "tools/run/checkpoint/part_file.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t written_bytes = std::size_t{16} << 20;  // at a time

/// The writing side on one rank. After a failure it goes on with the calls that all ranks make together and remembers
/// the first reason, so that no rank is left waiting for another.
class Writer {
 public:
  Writer(const std::string& name, engine::Transport& transport)
      : transport_(transport), sends_(transport.threads() > 1), writes_(!sends_ || transport.rank() == 0) {
    if (!writes_) return;
    const auto held = files::hold_hdf5();
    files::start_hdf5();
    const files::Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18);
    if (transport.size() > 1 && !sends_) {
      const MPI_Comm ranks = MPI_Comm_f2c(engine::communicator_number(transport));
      note(H5Pset_fapl_mpio(access.id(), ranks, MPI_INFO_NULL), "set-up");
    }
    file_ =
        files::Hdf5Handle(note(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), "create"), H5Fclose);
  }

  void group(const char* name) {
    if (file_.id() < 0) return;
    const auto held = files::hold_hdf5();
    const files::Hdf5Handle made(note(H5Gcreate2(file_.id(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), name),
                                 H5Gclose);
  }
  void attribute(const char* name, u64 value) {
    if (file_.id() < 0) return;
    const auto held = files::hold_hdf5();
    const files::Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const files::Hdf5Handle made(
        note(H5Acreate2(file_.id(), name, H5T_STD_U64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), name), H5Aclose);
    if (made.id() >= 0) note(H5Awrite(made.id(), H5T_NATIVE_UINT64, &value), name);
  }

  /// A dataset of `count` elements from this rank, after those of lower ranks. `fill(first, count, to)` gives them.
  template <class T>
  void dataset(const std::string& name, u64 count, const std::function<void(u64, u64, T*)>& fill) {
    std::vector<u64> counts(transport_.size(), 0);
    counts[transport_.rank()] = count;
    transport_.sum(counts);
    const u64 total = std::accumulate(counts.begin(), counts.end(), u64{0});
    const u64 before = std::accumulate(counts.begin(), counts.begin() + transport_.rank(), u64{0});
    if (!writes_) return send<T>(count, fill);
    const auto held = files::hold_hdf5();
    const hsize_t extent = total;
    const files::Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const files::Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER);
    const files::Hdf5Handle set(file_.id() < 0 ? -1
                                               : note(H5Dcreate2(file_.id(), name.c_str(), native_type<T>(), space.id(),
                                                                 H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                                                      name),
                                H5Dclose);
    const auto write = [&](u64 first, const T* values, u64 length) {
      if (set.id() < 0 || !reason_.empty()) return;
      const hsize_t at = first, here = length;
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &at, nullptr, &here, nullptr);
      const files::Hdf5Handle memory(H5Screate_simple(1, &here, nullptr), H5Sclose);
      note(H5Dwrite(set.id(), native_type<T>(), memory.id(), space.id(), H5P_DEFAULT, values), name);
    };
    if (set.id() >= 0) {
      std::vector<T> piece;
      for (u64 at = 0; at < count && reason_.empty(); at += piece.size()) {
        piece.resize(std::min<u64>(count - at, written_bytes / sizeof(T)));
        fill(at, piece.size(), piece.data());
        write(before + at, piece.data(), piece.size());
      }
    }
    if (sends_) receive<T>(counts, write);
  }
  template <class T>
  void list(const std::string& name, std::span<const T> values) {
    dataset<T>(name, values.size(),
               [&](u64 first, u64 count, T* to) { std::copy_n(values.begin() + static_cast<i64>(first), count, to); });
  }
  /// Records of known lengths one after the other, put together piece by piece.
  void records(const std::string& name, const CheckpointColumn& column, const std::vector<u32>& ids, u64 number,
               engine::Digest& digest) {
    u64 total = 0;
    for (const u32 bytes : column.bytes) total += bytes;
    std::size_t row = 0;
    std::vector<std::byte> record;
    std::size_t used = 0;  // of `record`, which a piece may split
    dataset<u8>(name, total, [&](u64, u64 count, u8* to) {
      for (u64 done = 0; done < count;) {
        if (used == record.size()) {
          while (column.bytes[row] == 0) ++row;
          record.resize(column.bytes[row]);
          column.fill(row, record.data());
          digest.add(ids[row], number << 32 | record.size(), hash_bytes(record));
          ++row;
          used = 0;
        }
        const std::size_t part = std::min<std::size_t>(record.size() - used, count - done);
        std::memcpy(to + done, record.data() + used, part);
        used += part;
        done += part;
      }
    });
  }

  void close() {
    if (file_.id() < 0) return;
    const auto held = files::hold_hdf5();
    note(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "flush");
    note(file_.close(), "close");
  }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  template <class T>
  [[nodiscard]] static i64 native_type() {
    return sizeof(T) == 1 ? H5T_NATIVE_UINT8 : sizeof(T) == 4 ? H5T_NATIVE_UINT32 : H5T_NATIVE_UINT64;
  }

  /// What the first rank receives.
  template <class T>
  void send(u64 count, const std::function<void(u64, u64, T*)>& fill) {
    std::vector<T> piece;
    for (u64 at = 0; at < count; at += piece.size()) {
      piece.resize(std::min<u64>(count - at, written_bytes / sizeof(T)));
      fill(at, piece.size(), piece.data());
      const auto bytes = std::as_bytes(std::span(piece));
      std::vector<std::byte> batch(bytes.begin(), bytes.end());
      transport_.post(0, batch);
    }
    transport_.complete_sends();
  }

  /// Calls write(first, values, count) for all that the other ranks send.
  template <class T, class Write>
  void receive(const std::vector<u64>& counts, Write&& write) {
    u64 first = counts[0];
    engine::Batch batch;
    std::vector<T> piece;
    for (batch.rank = 1; batch.rank < counts.size(); ++batch.rank) {
      for (u64 left = counts[batch.rank]; left > 0; left -= piece.size()) {
        transport_.receive(batch);
        piece.resize(batch.bytes.size() / sizeof(T));
        std::memcpy(piece.data(), batch.bytes.data(), batch.bytes.size());
        write(first, piece.data(), piece.size());
        first += piece.size();
      }
    }
  }

  template <class Id>
  Id note(Id status, const std::string& what) {
    if (status < 0 && reason_.empty()) reason_ = fmt::format("{}: hdf5 says '{}'", what, files::hdf5_reason());
    return status;
  }

  engine::Transport& transport_;
  bool sends_;   ///< ranks other than the first send it what they have
  bool writes_;  ///< this one opens the file
  files::Hdf5Handle file_;
  std::string reason_;
};

/// Bytes that the records, events and lists of a share take.
u64 size_of(const CheckpointShare& share) {
  u64 bytes = share.run.size() + share.ids.size() * sizeof(u32);
  for (const CheckpointColumn& column : share.columns) {
    bytes += column.bytes.size() * sizeof(u32) + std::accumulate(column.bytes.begin(), column.bytes.end(), u64{0});
  }
  for (const auto& rows : share.events) bytes += rows.size();
  return bytes;
}

/// All that the file holds, into the file of this name. Empty if that worked. Collective.
std::string write_content(const std::string& name, const CheckpointHeader& header, const CheckpointShare& share,
                          engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  engine::Digest digest;
  Writer file(name, transport);
  const auto text = [&](const char* where, const std::string& content) {
    const auto span =
        first ? std::span(reinterpret_cast<const u8*>(content.data()), content.size()) : std::span<const u8>();
    file.list<u8>(where, span);
    if (first) digest.add(text_id, content.size(), hash_bytes(bytes_of(content)));
  };
  text("/version", header.version);
  text("/config", header.config_toml);
  if (!header.plugins.empty()) text(plugins_path, header.plugins);
  file.list<u8>("/run", std::span(reinterpret_cast<const u8*>(share.run.data()), share.run.size()));
  if (first) digest.add(run_id, share.run.size(), hash_bytes(share.run));
  file.group("/entities");
  file.list<u32>("/entities/ids", share.ids);
  for (std::size_t c = 0; c < share.columns.size(); ++c) {
    const CheckpointColumn& column = share.columns[c];
    file.list<u32>(fmt::format("/entities/{}_bytes", column.name), column.bytes);
    file.records("/entities/" + column.name, column, share.ids, c, digest);
  }
  file.group("/events");
  for (std::size_t k = 0; k < share.events.size(); ++k) {
    const std::vector<std::byte>& rows = share.events[k];
    file.list<u8>(fmt::format("/events/{}", k), std::span(reinterpret_cast<const u8*>(rows.data()), rows.size()));
    for (std::size_t at = 0; at < rows.size(); at += share.event_bytes[k]) {
      digest.add(k, share.event_bytes[k], hash_bytes(std::span(rows).subspan(at, share.event_bytes[k])));
    }
  }
  const engine::Digest all = engine::sum_of_ranks(transport, digest);
  file.attribute("weft_checkpoint_layout", checkpoint_layout);
  file.attribute("config_hash", header.config_hash);
  file.attribute("inputs_hash", header.inputs_hash);
  file.attribute("tick", header.tick);
  file.attribute("ranks", transport.size());
  file.attribute("digest_low", all.low());
  file.attribute("digest_high", all.high());
  file.close();
  return file.reason();
}

}  // namespace

u64 write_checkpoint(const CheckpointPlace& place, const CheckpointHeader& header, const CheckpointShare& share,
                     engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  constexpr u64 overhead_bytes = 65536;
  u64 bytes = size_of(share);
  transport.sum({&bytes, 1});
  PartFile part(transport);
  std::string problem;
  if (first) problem = part.create(place, bytes + header.config_toml.size() + overhead_bytes);
  problem = first_problem(transport, problem);
  if (problem.empty()) problem = first_problem(transport, part.open());
  if (problem.empty()) problem = first_problem(transport, write_content(part.name(), header, share, transport));
  if (problem.empty()) problem = first_problem(transport, part.synchronise());
  if (problem.empty()) problem = first_problem(transport, first ? part.publish() : "");
  if (problem.empty()) return bytes;
  throw SystemError(
      fmt::format("cannot write the checkpoint '{}' ({}); make room or set checkpoint.path to another place; an older "
                  "checkpoint is untouched",
                  place.path, problem));
}

}  // namespace weft::tools
