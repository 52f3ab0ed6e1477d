// Any bytes as JSON of SST: a config of weft comes of it, or a ConfigError.
#include <array>
#include <string>

#include "engine/base/error.hpp"
#include "tools/import/importer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::array files{weft::tools::ForeignFile{"fuzz", std::string(data, data + bytes)}};
  const weft::tools::ConfigImporter& importer = *weft::tools::ImporterRegistry::instance().find("sst");
  static_cast<void>(importer.recognises(files.front().text));
  try {
    const weft::tools::ImportedConfig config = importer.import({files, "fuzz"});
    WEFT_ASSERT(config.toml.starts_with("format = 1\n"));
  } catch (const weft::ConfigError&) {
  }
  return 0;
}
