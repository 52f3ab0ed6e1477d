// Feeds files to a fuzz target without a fuzzer, so that every build checks what fuzzing once found.
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes);

/// Arguments: folders of inputs. A target fails by an exception or a crash; the last name printed is the culprit.
int main(int count, char** folders) {
  int inputs = 0;
  for (int ix = 1; ix < count; ++ix) {
    for (const auto& entry : std::filesystem::directory_iterator(folders[ix])) {
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (!file) return 1;
      LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
      ++inputs;
    }
  }
  std::printf("%d inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
