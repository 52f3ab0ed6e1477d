// Archives as the kernel unpacks them into its first file system: cpio's "newc" format, the same bytes for the same
// content.
#pragma once

#include <map>
#include <string>

#include "engine/base/types.hpp"

namespace weft::tools::cosim::guest {

/// Folders above a file are made; there are no times, owners or numbers of the machine that makes it.
class CpioArchive {
 public:
  /// `path` without a slash at the front. What is there already is replaced.
  void file(const std::string& path, std::string content, bool executable);
  void link(const std::string& path, const std::string& target);
  void folder(const std::string& path);
  [[nodiscard]] bool has(const std::string& path) const { return entries_.contains(path); }
  [[nodiscard]] std::string bytes() const;

 private:
  struct Entry {
    u32 mode = 0;
    std::string content;
  };
  void add(const std::string& path, Entry entry);
  std::map<std::string, Entry> entries_;  ///< in order of names a folder comes before what is in it
};

}  // namespace weft::tools::cosim::guest
