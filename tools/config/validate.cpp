// The subjects, in the order in which their errors are told.
#include "tools/config/validate.hpp"

#include "tools/config/check.hpp"

namespace weft::tools {

void validate(const Config& config) {
  checks::check_network(config);
  checks::check_workload(config);
  checks::check_run(config);
}

}  // namespace weft::tools
