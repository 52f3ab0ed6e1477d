// Fuzz target of configs, with includes and overrides: any bytes give a config or a ConfigError on one short line, and
// a config is the same as the one file that its canonical text makes. An input is the text of run.toml; a line "---
// NAME" begins another file, "--- set" overrides, a line each.
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/describe.hpp"

namespace {

using namespace weft;
using namespace weft::tools;

constexpr const char* first_file = "run.toml";

struct Input {
  std::map<std::string, std::string> files;
  std::vector<std::string> overrides;
};

Input input_of(const std::string& bytes) {
  Input input;
  std::string name = first_file;
  input.files[name];
  for_each_line(bytes, [&](std::string_view line) {
    if (line.starts_with("--- ")) {
      name = line.substr(4);
    } else if (name == "set") {
      input.overrides.emplace_back(line);
    } else {
      input.files[name] += std::string(line) + "\n";
    }
  });
  return input;
}

Config load(const Input& input) {
  return Config::load(first_file, input.overrides, [&input](const std::string& path) {
    const auto file = input.files.find(path);
    if (file == input.files.end()) throw ConfigError(shown(path) + ": no such file");
    return file->second;
  });
}

/// A message is one line of printable text, and no novel.
void check_message(const ConfigError& error) {
  const std::string line = error.what();
  WEFT_ASSERT(shown(line, line.size()) == line);
  WEFT_ASSERT(line.size() < 20'000);
}

void read(const Input& input) {
  const Config config = load(input);
  const Config again = Config::load(first_file, {}, [&config](const std::string&) { return config.toml(); });
  WEFT_ASSERT(again.toml() == config.toml());
  WEFT_ASSERT(again.hash() == config.hash());
  WEFT_ASSERT(again.to_json() == config.to_json());
  WEFT_ASSERT(!config.to_json().dump().empty());  // throws where a text is no UTF-8
  for (const Setting& setting : settings()) static_cast<void>(config.place(setting.key));
  validate(config);
  for (const char* key : {"workload.path", "placement.path"}) static_cast<void>(config.resolve_path(config.text(key)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  try {
    read(input_of(text));
  } catch (const ConfigError& error) {
    check_message(error);
  }
  if (bytes > 32) return 0;  // no word
  try {
    static_cast<void>(describe({text}));
  } catch (const ConfigError& error) {
    check_message(error);
  }
  return 0;
}
