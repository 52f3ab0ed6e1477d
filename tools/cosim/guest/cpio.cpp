// Format: Documentation/driver-api/early-userspace/buffer-format.rst of Linux.
#include "tools/cosim/guest/cpio.hpp"

#include <fmt/format.h>

namespace weft::tools::cosim::guest {
namespace {

constexpr u32 type_folder = 0040755;
constexpr u32 type_link = 0120777;
constexpr u32 type_file = 0100644;
constexpr u32 type_program = 0100755;

void pad_to_words(std::string& out) { out.append((4 - out.size() % 4) % 4, '\0'); }

void append_entry(std::string& out, u32 number, u32 mode, const std::string& name, const std::string& content) {
  const u32 links = (mode & 0040000) != 0 ? 2 : 1;
  // inode, mode, user, group, links, time, bytes, device (2), device of a node (2), bytes of the name, check sum
  out += fmt::format("070701{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}{:08X}", number,
                     mode, 0, 0, links, 0, content.size(), 0, 0, 0, 0, name.size() + 1, 0);
  out += name;
  out += '\0';
  pad_to_words(out);
  out += content;
  pad_to_words(out);
}

}  // namespace

void CpioArchive::add(const std::string& path, Entry entry) {
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos && !has(path.substr(0, slash)))
    folder(path.substr(0, slash));
  entries_[path] = std::move(entry);
}

void CpioArchive::file(const std::string& path, std::string content, bool executable) {
  add(path, {executable ? type_program : type_file, std::move(content)});
}

void CpioArchive::link(const std::string& path, const std::string& target) { add(path, {type_link, target}); }

void CpioArchive::folder(const std::string& path) { add(path, {type_folder, {}}); }

std::string CpioArchive::bytes() const {
  std::string out;
  u32 number = 0;
  for (const auto& [path, entry] : entries_) append_entry(out, ++number, entry.mode, path, entry.content);
  append_entry(out, 0, 0, "TRAILER!!!", {});
  return out;
}

}  // namespace weft::tools::cosim::guest
