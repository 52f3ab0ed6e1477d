// The checkpoint file: the state of a run in one HDF5 file, written by all ranks, read back by any number of ranks.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/file/hdf5_file.hpp"
#include "engine/digest.hpp"
#include "engine/transport.hpp"

namespace weft::tools {

/// Raised whenever the bytes of a record change their meaning: files of another layout are refused.
inline constexpr u64 checkpoint_layout = 17;

/// What a checkpoint says about itself.
struct CheckpointHeader {
  std::string version;  ///< of the program that wrote it
  u64 config_hash = 0;  ///< Config::hash
  std::string config_toml;
  std::string plugins;  ///< plugin_lines of the program that wrote it
  u64 inputs_hash = 0;  ///< of the files that the config names (trace, placement)
  Tick tick = 0;        ///< all events before it have happened
  u64 ranks = 1;        ///< that wrote it
};

/// Records of one kind, one for each local entity, in the order of CheckpointShare::ids.
struct CheckpointColumn {
  std::string name;
  std::vector<u32> bytes;                                    ///< length of each record
  std::function<void(std::size_t row, std::byte* to)> fill;  ///< writes a record
};

/// What one rank has to say.
struct CheckpointShare {
  std::vector<u32> ids;  ///< global numbers of the local entities
  std::vector<CheckpointColumn> columns;
  std::vector<std::vector<std::byte>> events;  ///< packed rows of equal length, [type]
  std::vector<u32> event_bytes;                ///< length of a row, [type]
  std::vector<std::byte> run;                  ///< rank 0: state that belongs to no entity
};

/// Where checkpoints go.
struct CheckpointPlace {
  std::string path;
  std::string refused;  ///< rank 0: why none may be written there; else empty
};

/// Writes the file under a temporary name, synchronises it with the disk on every rank and renames it, so that an older
/// checkpoint of this name is there until the new one is whole. What may stand at the path, see output_path.hpp.
/// Collective; throws SystemError on all ranks alike. Bytes written, of all ranks.
u64 write_checkpoint(const CheckpointPlace& place, const CheckpointHeader& header, const CheckpointShare& share,
                     engine::Transport& transport);

/// Reads a checkpoint. Every rank reads the header, and of the records those that it keeps; together the ranks must
/// keep each record once. Whatever is wrong with the file is an InputError that names it.
class CheckpointReader {
 public:
  explicit CheckpointReader(std::string path);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;
  /// Opens the same file for all ranks: one that is replaced while they open it, by a job that is thought dead perhaps,
  /// is opened again. Collective.
  [[nodiscard]] static std::unique_ptr<CheckpointReader> open_by_all(const std::string& path,
                                                                     engine::Transport& transport);
  [[nodiscard]] const CheckpointHeader& header() const { return header_; }
  [[nodiscard]] std::vector<std::byte> run();
  /// Which entities' records to read; call before each_record.
  void keep(const std::function<bool(u32 id)>& wanted);
  /// Calls f(id, record) for every record of a column that is kept, piece by piece. Columns are read in the order in
  /// which they were written.
  void each_record(const std::string& column, const std::function<void(u32, std::span<const std::byte>)>& f);
  /// Calls f(row) for every row of an event type; true if this rank keeps it.
  void each_event(u32 type, u32 row_bytes, const std::function<bool(std::span<const std::byte>)>& f);
  /// Throws InputError on all ranks unless what they have kept together is what was written; call when everything has
  /// been read. Collective.
  void verify(engine::Transport& transport) const;
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  i64 check(i64 status, const std::string& what) const;
  [[nodiscard]] files::Hdf5Handle open(const std::string& dataset, u64& count, int type_class,
                                       std::size_t type_bytes) const;
  void read(const files::Hdf5Handle& dataset, i64 type, u64 first, u64 count, void* to) const;

  std::string path_;
  files::Hdf5Handle file_;
  CheckpointHeader header_;
  std::vector<u32> ids_;     ///< of all entities, in the order of the records
  std::vector<bool> kept_;   ///< whether the record of ids_[row] is read, [row]
  engine::Digest common_;    ///< of what every rank reads
  engine::Digest kept_sum_;  ///< of what this one keeps
  u64 digest_low_ = 0, digest_high_ = 0, columns_read_ = 0;
};

}  // namespace weft::tools
