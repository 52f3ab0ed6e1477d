// Any bytes as files of another simulator, apart at lines of "=====": a config of weft comes of them, or a ConfigError.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/imported.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  std::vector<weft::tools::ForeignFile> files;
  constexpr std::string_view between = "=====\n";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    files.push_back({"fuzz" + std::to_string(files.size()), text.substr(at, end - at)});
    at = end + between.size();
  }
  for (const std::string& name : weft::tools::ImporterRegistry::instance().names())
    weft::fuzz::import_any(*weft::tools::ImporterRegistry::instance().find(name), files, false);
  return 0;
}
