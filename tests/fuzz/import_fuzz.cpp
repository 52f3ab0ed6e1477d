// Any bytes as files of another simulator, apart at lines of "=====": a config of weft comes of them, or a ConfigError.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "tools/import/importer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  std::vector<weft::tools::ForeignFile> files;
  constexpr std::string_view between = "=====\n";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    files.push_back({"fuzz" + std::to_string(files.size()), text.substr(at, end - at)});
    at = end + between.size();
  }
  for (const std::string& name : weft::tools::ImporterRegistry::instance().names()) {
    const weft::tools::ConfigImporter& importer = *weft::tools::ImporterRegistry::instance().find(name);
    static_cast<void>(importer.recognises(files.front().text));
    try {
      const weft::tools::ImportedConfig config = importer.import({files, "fuzz"});
      WEFT_ASSERT(config.toml.find("format = 1\n") != std::string::npos);
      WEFT_ASSERT(!weft::tools::comments_of(config.lines).ends_with("\n\n"));
    } catch (const weft::ConfigError&) {
    }
  }
  return 0;
}
