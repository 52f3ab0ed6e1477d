// Any bytes as files of CODES: a config, and behind bytes of 0 its files of connections, workloads and allocations. A
// config of weft comes of it, or a ConfigError.
#include <string>
#include <vector>

#include "tests/fuzz/imported.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  // Names by which the config can ask for the others.
  static const std::vector<std::string> names{"config", "intra", "inter", "workload", "allocation"};
  std::vector<weft::tools::ForeignFile> files{{names.front(), ""}};
  bool fresh = false;
  for (std::size_t k = 0; k < bytes; ++k) {
    // "\0\0" of a file of numbers stays in it: a new one begins behind 0xff 0x00.
    if (data[k] == 0xff && k + 1 < bytes && data[k + 1] == 0 && files.size() < names.size()) {
      files.push_back({names[files.size()], ""});
      ++k;
      fresh = true;
      continue;
    }
    files.back().text.push_back(static_cast<char>(data[k]));
    fresh = false;
  }
  if (fresh) files.pop_back();
  weft::fuzz::import_any(*weft::tools::ImporterRegistry::instance().find("codes"), files, true);
  return 0;
}
