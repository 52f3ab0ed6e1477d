// Standard output as the commands use it; see the header.
#include "tools/weft/output.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

#include "engine/error.hpp"
#include "tools/weft/reserved_output.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t label_columns = 12;

}  // namespace

void print(const std::string& text) {
  std::cout << text << std::flush;
  if (!std::cout)
    throw SystemError("cannot write to standard output (disk full or pipe closed); redirect it elsewhere");
}

std::string labelled(const std::string& label, const std::string& text) {
  std::string line = label;
  line.resize(std::max(label_columns, label.size() + 1), ' ');
  return line + text + "\n";
}

bool colour_wanted() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (refused != nullptr && *refused != '\0') return false;
  // Open MPI gives its ranks a pseudo-terminal whatever mpirun's own output is: what lies behind it cannot be known.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return false;
  return ::isatty(standard_output()) == 1 && terminal != nullptr && std::string(terminal) != "dumb";
}

Progress::Mode progress_mode(const std::string& word) {
  if (word == "always") return Progress::Mode::always;
  if (word == "never") return Progress::Mode::never;
  WEFT_ASSERT(word == "auto");
  return Progress::Mode::automatic;
}

void reads_config(CommandFiles& files, const Config& config) {
  for (const std::string& path : config.files()) files.reads("the config", path);
  for (const Setting& setting : settings()) {
    if (!setting.is_path) continue;
    const std::string path = config.text(setting.key);
    if (!path.empty()) files.reads(setting.key, config.resolve_path(path));
  }
}

}  // namespace weft::tools
