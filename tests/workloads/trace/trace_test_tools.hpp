// What the trace tests share: files in a folder of their own, readers over text, operations as plain lists.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <lzma.h>
#include <string>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "engine/base/error.hpp"
#include "workloads/trace/trace_program.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// A folder that goes away with the test.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "weft-trace-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return file(name);
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string xz(const std::string& text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(LZMA_OK,
            lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                                    text.size(), reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size()));
  packed.resize(size);
  return packed;
}

/// With a checksum, as the zstd program writes it.
inline std::string zst(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()) + 4, '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

inline std::string gz(const std::string& text) {
  std::string packed(compressBound(static_cast<uLong>(text.size())) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline TraceInput input_of(const std::string& text) { return trace_in_memory(text, "t.trc"); }

/// Reader of a trace with one part.
inline std::unique_ptr<TraceReader> reader_of(const std::string& text, const std::string& format = "trc") {
  const OpenedTrace trace = open_trace(input_of(text), format);
  EXPECT_EQ(1u, trace.source->parts());
  return trace.source->open(0);
}

inline std::vector<TraceRecord> records_of(const std::string& text) {
  const auto reader = reader_of(text);
  std::vector<TraceRecord> records;
  TraceRecord record;
  while (reader->next(record)) records.push_back(record);
  return records;
}

/// The operations of an event that is one; `end` of others.
inline Op op_of(const TraceRecord& record) {
  const TraceEvent& event = record.event;
  switch (event.kind) {
    case TraceEvent::Kind::compute:
      return {OpKind::compute, 0, 0, event.bytes};
    case TraceEvent::Kind::send:
      return {OpKind::send, event.peer, event.tag, event.bytes};
    case TraceEvent::Kind::receive:
      return {OpKind::receive, event.peer, event.tag, event.bytes};
    default:
      return {};
  }
}

inline std::vector<Op> ops_of(const Program& program, u32 task) {
  const auto stream = program.open(TaskId(task));
  std::vector<Op> ops;
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) ops.push_back(op);
  return ops;
}

/// The text of the error that `action` ends in; empty if there is none or one of another kind.
template <class Expected, class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "no error";
  return {};
}

/// A file of the optional shared test data; empty if it is not there.
inline std::string shared_file(const std::string& name) {
#ifdef WEFT_SOURCE_DIR
  const std::string beside = WEFT_SOURCE_DIR "/../shared";
#else
  const std::string beside = "../shared";
#endif
  const char* folder = std::getenv("WEFT_SHARED");
  const std::string path = (folder != nullptr ? std::string(folder) : beside) + "/" + name;
  return std::filesystem::exists(path) ? path : std::string();
}

}  // namespace weft::workloads
