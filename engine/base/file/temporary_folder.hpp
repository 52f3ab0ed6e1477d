// Folders that go when what uses them does, or with this process where there is a keeper.
#pragma once

#include <string>

namespace weft::files {

class TemporaryFolder {
 public:
  /// A new one below TMPDIR; `what` is in it: "timelines". Throws SystemError.
  explicit TemporaryFolder(const std::string& what);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace weft::files
