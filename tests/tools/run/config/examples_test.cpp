// Every example and every base of a study is a config, every sweep has its points, and every table of prices can be
// read: none gives a key in vain.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "tools/report/cost/cost_table.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/study/sweep_study.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

TEST(Examples, AreValidAndNoneGivesAKeyInVain) {
  u32 configs = 0, sweeps = 0;
  for (const char* const folder : {"/examples", "/studies"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(WEFT_SOURCE_DIR + std::string(folder))) {
      if (entry.path().extension() != ".toml") continue;
      std::ifstream file(entry.path());
      const std::string path = entry.path().string(), text{std::istreambuf_iterator<char>(file), {}};
      if (path.find("/costs/") != std::string::npos) {
        EXPECT_NO_THROW(static_cast<void>(cost::load_cost_table(path))) << path;
        continue;
      }
      if (text.find("\n[scaling]") != std::string::npos || path.find("/fabrics/") != std::string::npos) continue;
      // A fabric; what several configs include.
      if (text.starts_with("[leaf_core]") || text.find("\n[leaf_core]") != std::string::npos) continue;
      if (path.ends_with("/resources/network.toml")) continue;
      // A config of a library that is built first, which tests/packaging runs; figures of papers, for tests/studies.
      if (path.find("/examples/plugin/") != std::string::npos || entry.path().filename() == "published.toml") continue;
      if (text.find("\n[sweep]") != std::string::npos) {
        ++sweeps;
        EXPECT_NO_THROW(static_cast<void>(sweep::sweep_points(sweep::load_sweep(path)))) << path;
      } else {
        ++configs;
        std::vector<std::string> overrides;
        if (path.find("/cosim/") != std::string::npos) overrides.emplace_back("workload.kind=cosim");  // as weft cosim
        EXPECT_NO_THROW(validate(Config::load(path, overrides))) << path;
      }
    }
  }
  EXPECT_GT(configs, 40U);
  EXPECT_GT(sweeps, 5U);
}

}  // namespace
}  // namespace weft::tools
