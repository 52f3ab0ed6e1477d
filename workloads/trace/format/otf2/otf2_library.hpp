// The OTF2 library (BSD licence): handles that close themselves, and what it says of failures as text.
#pragma once

#include <memory>
#include <mutex>
#include <otf2/otf2.h>
#include <string>

namespace weft::workloads::otf2 {

/// Held while archives are opened and closed: the library does not say what these calls share.
[[nodiscard]] std::mutex& library_lock();

/// Forgets what the library said in this thread; it says nothing on standard error from then on.
void listen();
/// What it said last in this thread, or the text of `code`.
[[nodiscard]] std::string said(OTF2_ErrorCode code = OTF2_SUCCESS);

/// Throws InputError "FILE: damaged or no OTF2 archive (what it said); record it again".
[[noreturn]] void fail_reading(const std::string& file, OTF2_ErrorCode code = OTF2_SUCCESS);
inline void check_reading(const std::string& file, OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS) fail_reading(file, code);
}

struct CloseReader {
  void operator()(OTF2_Reader* reader) const;
};
using ReaderHandle = std::unique_ptr<OTF2_Reader, CloseReader>;
/// Once, before the first reader of an archive: the library takes memory for as many properties as an anchor says that
/// it has, before it reads the first of them (a name and a value that end with a zero each). Throws InputError.
void check_anchor(const std::string& anchor);
/// Opens the archive of the anchor file NAME.otf2. Throws InputError.
[[nodiscard]] ReaderHandle open_reader(const std::string& anchor);

}  // namespace weft::workloads::otf2
