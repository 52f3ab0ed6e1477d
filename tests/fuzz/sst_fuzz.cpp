// Any bytes as JSON of SST: a config of weft comes of it, or a ConfigError.
#include <array>
#include <string>

#include "tests/fuzz/imported.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::array files{weft::tools::ForeignFile{"fuzz", std::string(data, data + bytes)}};
  weft::fuzz::import_any(*weft::tools::ImporterRegistry::instance().find("sst"), files, true);
  return 0;
}
