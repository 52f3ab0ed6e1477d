// Fuzz target of the result reader and the report: any bytes give a page or an InputError.
#include <cstddef>

#include "engine/base/error.hpp"
#include "tests/fuzz/scratch_file.hpp"
#include "tools/report/report.hpp"
#include "tools/result/hdf5_result.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const weft::fuzz::ScratchFile file(data, bytes);
  try {
    const auto page = weft::tools::report_page({{"fuzz", weft::tools::read_hdf5(file.path())}});
    WEFT_ASSERT(page.find("</html>") != std::string::npos);
  } catch (const weft::InputError&) {
  }
  return 0;
}
