// Walks the program headers of an ELF file to its notes; whatever does not lie inside the file is not followed.
#include "tools/run/plugin/stamp_of_file.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/types.hpp"
#include "tools/run/plugin/abi.hpp"

namespace weft::tools::plugin {
namespace {

constexpr u64 most_note_bytes = 1 << 16;

/// Bytes of a file by their place; those beyond its end are none.
class ElfBytes {
 public:
  explicit ElfBytes(const std::string& path) : file_(path, std::ios::binary) {
    if (file_) return;
    throw ConfigError(
        fmt::format("cannot read '{}' ({}); give the path of a shared library", shown(path), std::strerror(errno)));
  }
  template <class T>
  bool read(u64 at, T& to) {
    return read_bytes(at, reinterpret_cast<char*>(&to), sizeof to);
  }
  std::string text(u64 at, u64 bytes) {
    std::string text(std::min(bytes, most_note_bytes), '\0');
    return read_bytes(at, text.data(), text.size()) ? text : std::string();
  }

 private:
  bool read_bytes(u64 at, char* to, u64 bytes) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(at));
    file_.read(to, static_cast<std::streamsize>(bytes));
    return file_.gcount() == static_cast<std::streamsize>(bytes);
  }
  std::ifstream file_;
};

constexpr u64 padded(u64 bytes) { return (bytes + 3) / 4 * 4; }

/// The text of weft's note among some notes.
std::string stamp_among(const std::string& notes) {
  Elf64_Nhdr header;
  for (u64 at = 0; at + sizeof header <= notes.size();) {
    std::memcpy(&header, notes.data() + at, sizeof header);
    const u64 name = at + sizeof header, text = name + padded(header.n_namesz), end = text + padded(header.n_descsz);
    if (end > notes.size() + 3) break;
    if (std::string_view(notes.data() + name, header.n_namesz).starts_with(std::string_view("weft\0", 5))) {
      const std::string stamp = notes.substr(text, header.n_descsz);
      return stamp.substr(0, stamp.find('\0'));
    }
    at = end;
  }
  return {};
}

/// "name=value; name=value" by name.
std::map<std::string, std::string> fields_of(const std::string& stamp) {
  std::map<std::string, std::string> fields;
  for (std::size_t at = 0; at < stamp.size();) {
    const std::size_t end = std::min(stamp.find("; ", at), stamp.size());
    const std::string field = stamp.substr(at, end - at);
    fields[field.substr(0, field.find('='))] = field.substr(std::min(field.find('=') + 1, field.size()));
    at = end + 2;
  }
  return fields;
}

}  // namespace

FileStamp stamp_of_file(const std::string& path) {
  static_assert(std::endian::native == std::endian::little);
  ElfBytes file(path);
  FileStamp found;
  Elf64_Ehdr header;
  if (!file.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return found;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return found;
  found.is_library = header.e_type == ET_DYN;
  for (u32 k = 0; k < header.e_phnum && found.whole; ++k) {
    Elf64_Phdr part;
    found.whole = file.read(header.e_phoff + u64{k} * header.e_phentsize, part);
    if (!found.whole) break;
    if (part.p_type == PT_NOTE && found.stamp.empty())
      found.stamp = stamp_among(file.text(part.p_offset, part.p_filesz));
    if (part.p_type == PT_LOAD && part.p_filesz > 0) {
      char last = 0;
      found.whole = file.read(part.p_offset + part.p_filesz - 1, last);
    }
  }
  return found;
}

std::string own_stamp() { return WEFT_ABI; }

std::string stamp_difference(const std::string& stamp, const std::string& own) {
  const auto theirs = fields_of(stamp), ours = fields_of(own);
  std::string text;
  for (const auto& [name, value] : ours) {
    const auto found = theirs.find(name);
    const std::string other = found == theirs.end() ? "unknown" : found->second;
    if (other != value) text += fmt::format("{}{} {}, here {}", text.empty() ? "" : "; ", name, shown(other), value);
  }
  return text.empty() && stamp != own ? "it has a stamp of another form" : text;
}

}  // namespace weft::tools::plugin
