// Talks to the OTF2 library; see the header.
#include "workloads/trace/format/otf2_library.hpp"

#include <cstdarg>
#include <cstdio>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/shown.hpp"

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
