// Fuzz target of study files: any bytes give a sweep or a ConfigError, and a scaling study or a ConfigError.
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/study/scaling/study.hpp"
#include "tools/study/sweep_study.hpp"

namespace {

using namespace weft;
using namespace weft::tools;

template <class Read>
void expect_study_or_error(Read&& read) {
  try {
    read();
  } catch (const ConfigError& error) {
    WEFT_ASSERT(std::string(error.what()).starts_with("study.toml"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  expect_study_or_error([&] {
    const sweep::SweepStudy study = sweep::read_sweep(text, "study.toml");
    for (const sweep::SweepAxis& axis : study.axes) {
      WEFT_ASSERT(!axis.keys.empty() && !axis.rows.empty());
      for (const auto& row : axis.rows) WEFT_ASSERT(row.size() == axis.keys.size());
    }
    WEFT_ASSERT(!study.name.empty() && study.repeat > 0 && study.ranks() > 0);
  });
  expect_study_or_error([&] {
    const ScalingStudy study = read_scaling_study(text, "study.toml");
    WEFT_ASSERT(!study.ranks.empty() && !study.sizes.empty() && !study.protocols.empty());
    WEFT_ASSERT(!study_cells(study).empty());
  });
  return 0;
}
