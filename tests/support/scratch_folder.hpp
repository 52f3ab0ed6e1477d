// A folder that a test has to itself, gone with it, and the files in it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace weft {

/// Whole content of a file; empty if there is none.
inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The file with this content, in place of what it had.
inline void put(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Path of what has or will have this name in the folder.
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// A file with this content, in place of what it had, in a folder that may not be there yet; its path.
  std::string write(const std::string& name, const std::string& content) const {
    const std::string whole = file(name);
    std::filesystem::create_directories(std::filesystem::path(whole).parent_path());
    put(whole, content);
    return whole;
  }
  /// Files and folders directly in it.
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::string path_;
};

}  // namespace weft
