// Talks to the OTF2 library; see the header.
#include "workloads/trace/format/otf2/otf2_library.hpp"

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads::otf2 {
namespace {

thread_local std::string last_said;

OTF2_ErrorCode keep_message(void* /*data*/, const char* /*file*/, uint64_t /*line*/, const char* /*function*/,
                            OTF2_ErrorCode code, const char* format, va_list arguments) {
  std::string text = OTF2_Error_GetDescription(code);
  if (format != nullptr && *format != '\0') {
    char message[256];
    if (std::vsnprintf(message, sizeof message, format, arguments) > 0) text += std::string(": ") + message;
  }
  // The first message of a failure is nearest to its reason.
  if (last_said.empty()) last_said = shown(text);
  return code;
}

}  // namespace

std::mutex& library_lock() {
  static std::mutex lock;
  return lock;
}

void listen() {
  static std::once_flag once;
  std::call_once(once, [] { OTF2_Error_RegisterCallback(keep_message, nullptr); });
  last_said.clear();
}

std::string said(OTF2_ErrorCode code) {
  if (!last_said.empty()) return last_said;
  return code == OTF2_SUCCESS ? "the library gave no reason" : OTF2_Error_GetDescription(code);
}

void fail_reading(const std::string& file, OTF2_ErrorCode code) {
  throw InputError(fmt::format("{}: cannot be read as OTF2 ({}); check that the archive is whole", file, said(code)));
}

void CloseReader::operator()(OTF2_Reader* reader) const {
  const std::scoped_lock held(library_lock());
  OTF2_Reader_Close(reader);
}

void check_anchor(const std::string& anchor) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;  // it has some hundred
  std::string bytes(most_bytes, '\0');
  std::ifstream file(anchor, std::ios::binary);
  file.read(bytes.data(), most_bytes);
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.size() == most_bytes)
    throw InputError(fmt::format("{}: is longer than an anchor of OTF2 can be; name the file NAME.otf2", anchor));
  // Versions, sizes of chunks, numbers of locations and definitions; then machine, creator and description.
  std::size_t at = 46;
  for (int text = 0; text < 3 && at < bytes.size(); ++text) at = std::min(bytes.find('\0', at), bytes.size()) + 1;
  u32 properties = 0;
  if (bytes.size() < at + sizeof properties) return;  // the library says what is missing
  std::memcpy(&properties, bytes.data() + at, sizeof properties);
  const std::size_t most = (bytes.size() - at - sizeof properties) / 2;
  constexpr char big_endian = '#';  // else 'B'
  if ((bytes[1] == big_endian) != (std::endian::native == std::endian::big)) properties = __builtin_bswap32(properties);
  if (properties <= most) return;
  throw InputError(fmt::format("{}: byte {}: {} properties where the rest of the file has room for {}; it is damaged",
                               anchor, at, properties, most));
}

ReaderHandle open_reader(const std::string& anchor) {
  listen();
  const std::scoped_lock held(library_lock());
  OTF2_Reader* const reader = OTF2_Reader_Open(anchor.c_str());
  if (reader == nullptr) fail_reading(anchor);
  if (const OTF2_ErrorCode code = OTF2_Reader_SetSerialCollectiveCallbacks(reader); code != OTF2_SUCCESS) {
    OTF2_Reader_Close(reader);
    fail_reading(anchor, code);
  }
  return ReaderHandle(reader);
}

}  // namespace weft::workloads::otf2
