// One file of a DUMPI trace: its sections, and the calls in its body one after the other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "workloads/trace/format/dumpi/dumpi_calls.hpp"

namespace weft::workloads {

inline constexpr std::string_view dumpi_magic =
    "\xFF\xAA\xDD"
    "DUMPI";

/// What the sections around the body say.
struct DumpiFile {
  std::string name;  ///< as errors show it
  std::function<std::unique_ptr<ByteSource>()> open;
  u64 bytes = 0;           ///< of the file, decompressed
  u64 body = 0;            ///< offset of the calls
  u32 version = 0;         ///< 10,000 a + 100 b + c
  std::vector<i32> sizes;  ///< of data types, by number
  std::vector<i32> calls;  ///< made, by function, recorded or not; empty if the file does not say
  /// `path`: of a file, of which only the end is read if it is not compressed; empty: `open` is read through. Throws
  /// InputError (no such file, truncated, sections out of range).
  static DumpiFile read(const std::string& name, const std::string& path,
                        std::function<std::unique_ptr<ByteSource>()> open);
};

struct DumpiStatus {
  i32 bytes = 0, source = 0, tag = -1;  ///< tag: -1 in versions without
  bool cancelled = false;
};

/// A call with its arguments; of those that it has not, what the calls before left there.
struct DumpiCall {
  u16 function = 0;
  u64 offset = 0;         ///< in the file
  bool has_wall = false;  ///< wall-clock times, nanoseconds since the file's own zero
  u64 begin_ns = 0, end_ns = 0;
  std::array<i64, dumpi_fields> values{};
  std::array<std::vector<i32>, dumpi_lists> lists;
  std::vector<DumpiStatus> statuses;
  [[nodiscard]] i64 at(DumpiField field) const { return values[static_cast<std::size_t>(field)]; }
  [[nodiscard]] const std::vector<i32>& at(DumpiList list) const { return lists[static_cast<std::size_t>(list)]; }
};

/// Reads the body through a buffer of fixed size.
class DumpiBody {
 public:
  /// Elements of a list, and bytes of a text, at most.
  static constexpr u64 most_elements = u64{1} << 25;

  explicit DumpiBody(const DumpiFile& file);
  /// False at the end. Throws InputError "FILE: byte OFFSET: ...".
  bool next(DumpiCall& call);
  [[noreturn]] void reject(u64 offset, const std::string& problem, const std::string& expected) const;

 private:
  [[nodiscard]] u64 offset() const { return passed_ + begin_; }
  const u8* take(std::size_t bytes);
  u64 number(std::size_t bytes);
  i32 number_i32() { return static_cast<i32>(number(4)); }
  void skip(u64 bytes);
  u64 length();
  void read_times(u8 mask, DumpiCall& call);
  void read_statuses(u8 mask, DumpiCall& call);
  void read_list(std::size_t bytes, std::vector<i32>& list);
  void read_argument(const DumpiArgument& argument, u8 mask, DumpiCall& call);

  const DumpiFile& file_;
  std::unique_ptr<ByteSource> source_;
  std::vector<u8> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  u64 passed_ = 0;  ///< bytes of the file in front of the buffer
  u64 wrapped_s_ = 0, last_s_ = 0;
};

}  // namespace weft::workloads
