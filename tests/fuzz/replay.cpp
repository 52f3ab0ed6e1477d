// Feeds files to the fuzz targets without a fuzzer, so that every build checks what fuzzing once found.
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

using Target = int(const unsigned char* data, std::size_t bytes);

// fuzz_targets.inc has a line for each NAME_fuzz.cpp.
#define WEFT_FUZZ_TARGET(name) extern "C" Target name;
#include "fuzz_targets.inc"
#undef WEFT_FUZZ_TARGET

namespace {

const std::map<std::string, Target*> targets = {
#define WEFT_FUZZ_TARGET(name) {#name, name},
#include "fuzz_targets.inc"
#undef WEFT_FUZZ_TARGET
};

/// Inputs of a folder that the target has been given.
int replay(Target* target, const char* folder) {
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::printf("%s\n", entry.path().c_str());
    std::fflush(stdout);
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file) return 0;
    target(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    ++inputs;
  }
  return inputs;
}

}  // namespace

/// Arguments: a target and a folder of inputs. A target fails by an exception or a crash; the last name printed is the
/// culprit.
int main(int count, char** arguments) {
  const auto found = count == 3 ? targets.find(arguments[1]) : targets.end();
  if (found == targets.end()) {
    std::printf("usage: fuzz_replays TARGET FOLDER, where TARGET is one of");
    for (const auto& [name, target] : targets) std::printf(" %s", name.c_str());
    std::printf("\n");
    return 2;
  }
  const int inputs = replay(found->second, arguments[2]);
  std::printf("%d inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
