// Any bytes as a config of another simulator: a config of weft comes of it, or a ConfigError.
#include <string>

#include "engine/base/error.hpp"
#include "tools/import/importer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  for (const std::string& name : weft::tools::ImporterRegistry::instance().names()) {
    const weft::tools::ConfigImporter& importer = *weft::tools::ImporterRegistry::instance().find(name);
    static_cast<void>(importer.recognises(text));
    try {
      const weft::tools::ForeignFile file{"fuzz", text};
      const weft::tools::ImportedConfig config = importer.import({.files = {&file, 1}, .stem = "fuzz"});
      WEFT_ASSERT(config.toml.starts_with("format = 1\n"));
      WEFT_ASSERT(!weft::tools::comments_of(config.lines).ends_with("\n\n"));
    } catch (const weft::ConfigError&) {
    }
  }
  return 0;
}
