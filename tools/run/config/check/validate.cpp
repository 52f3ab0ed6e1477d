// The subjects, in the order in which their errors are told.
#include "tools/run/config/check/validate.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "tools/run/config/check/check.hpp"
#include "tools/run/config/check/effect.hpp"
#include "tools/run/config/given.hpp"

namespace weft::tools {
namespace {

void check_effects(const Config& config, UnusedKeys unused) {
  for (const WithoutEffect& one : keys_without_effect(config)) {
    const bool by_override = config.given_by(one.key) == GivenBy::override;
    const bool refused = by_override ? unused != UnusedKeys::noted
                                     : unused == UnusedKeys::refused && has_no_effect_in_file(config, one.key);
    const bool says_more = given_otherwise(config, one.key);
    if (refused && says_more) checks::fail(config, one.key, "has no effect " + one.why, one.advice);
    spdlog::log(refused ? spdlog::level::warn : spdlog::level::info, "{} has no effect {}",
                checks::setting_text(config, one.key), one.why);
  }
}

}  // namespace

void validate(const Config& config, UnusedKeys unused) {
  checks::check_kinds(config);
  check_effects(config, unused);
  if (!config.jobs().empty()) {
    checks::check_stop(config);
    checks::check_jobs(config);
  } else {
    checks::check_network(config);
    checks::check_stop(config);
    checks::check_workload(config);
  }
  checks::check_run(config);
}

}  // namespace weft::tools
