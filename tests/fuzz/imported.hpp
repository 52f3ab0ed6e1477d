// What targets of importers have in common: a config of weft comes of any files, or a ConfigError.
#pragma once

#include <span>

#include "engine/base/error.hpp"
#include "tools/import/importer.hpp"

namespace weft::fuzz {

/// `begins`: whether nothing may stand before the config's first key.
inline void import_any(const tools::ConfigImporter& importer, std::span<const tools::ForeignFile> files, bool begins) {
  static_cast<void>(importer.recognises(files.front().text));
  try {
    const tools::ImportedConfig config = importer.import({files, "fuzz"});
    const std::size_t first = config.toml.find("format = 1\n");
    WEFT_ASSERT(begins ? first == 0 : first != std::string::npos);
    WEFT_ASSERT(!tools::comments_of(config.lines).ends_with("\n\n"));
  } catch (const ConfigError&) {
  }
}

}  // namespace weft::fuzz
