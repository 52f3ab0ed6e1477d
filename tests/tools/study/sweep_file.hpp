// Study files with a small torus as base, for tests.
#pragma once

#include "tests/tools/run/config/config_file.hpp"
#include "tools/study/sweep_study.hpp"

namespace weft::tools::testing {

class SweepFile : public ConfigFile {
 protected:
  void SetUp() override {
    ConfigFile::SetUp();
    write("base.toml", "format = 1\n[topology]\nkind = \"torus\"\ndims = [4, 4]\n[simulation]\nseed = 5\n");
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(directory_ / name) << text; }
  sweep::SweepStudy study(const std::string& text) const {
    write("study.toml", text);
    return sweep::load_sweep((directory_ / "study.toml").string());
  }
  /// What is said about a study that is refused, or "".
  std::string error(const std::string& text) const {
    try {
      static_cast<void>(sweep::sweep_points(study(text)));
    } catch (const ConfigError& refused) {
      return refused.what();
    }
    return "";
  }
};

inline const std::string head = "format = 1\n[sweep]\nbase = \"base.toml\"\n";
inline const std::string loads = "[[sweep.axis]]\nkey = \"workload.offered_load\"\nvalues = [0.1, 0.2]\n";
inline const std::string search_of_load = "[sweep.search]\nfrom = 0.1\nto = 0.9\nprecision = 0.01\npoints = 9\n";
inline const std::string requests = "[[sweep.axis]]\nkey = \"router.routing\"\nvalues = [\"random\", \"smart\"]\n";

}  // namespace weft::tools::testing

/// What tests of sweeps say without a prefix.
namespace weft::tools::sweep {

using testing::contains;
using testing::head;
using testing::loads;
using testing::requests;
using testing::search_of_load;

}  // namespace weft::tools::sweep
