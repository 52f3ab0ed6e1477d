// Reads the events of one task of an OTF2 archive.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "workloads/trace/format/otf2/otf2_calls.hpp"
#include "workloads/trace/format/otf2/otf2_library.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads::otf2 {

/// Has a reader of the library to itself: they are not for several threads. The library pushes records; they are asked
/// for a few at a time.
class LocationReader final : public TraceReader {
 public:
  /// `anchor`: the file NAME.otf2. Throws InputError.
  LocationReader(const std::string& anchor, std::shared_ptr<const Definitions> definitions, u32 task);
  ~LocationReader() override;
  LocationReader(const LocationReader&) = delete;
  LocationReader& operator=(const LocationReader&) = delete;

  bool next(TraceRecord& record) override;
  /// Number of the record in its location, from 1.
  [[nodiscard]] u64 position() const override { return position_; }
  [[nodiscard]] u32 tasks() const override { return definitions_->tasks(); }

 private:
  friend struct Callbacks;
  void read_local_definitions(const std::string& anchor);
  void read_records();

  std::string file_;  ///< of the events
  std::shared_ptr<const Definitions> definitions_;
  u32 task_;
  ReaderHandle reader_;
  OTF2_EvtReader* events_ = nullptr;
  Calls calls_;
  std::exception_ptr failure_;
  u64 position_ = 0, records_ = 0;
  bool ended_ = false;
};

/// "FILE: event NUMBER of location NUMBER".
[[nodiscard]] std::string place_in_archive(const std::string& anchor, u64 location, u64 position);

}  // namespace weft::workloads::otf2
