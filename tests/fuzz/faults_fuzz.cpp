// Fuzz target of events, files of events and processes of faults: any bytes give whole ones or a ConfigError.
#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "tools/run/faults/fault_file.hpp"
#include "tools/run/faults/fault_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  for (const double cycle_ns : {0.0, 0.8}) {
    const weft::tools::TimeScale time{.ticks_per_cycle = 8, .latency_ticks = 8, .cycle_ns = cycle_ns};
    const auto check = [](const std::vector<weft::models::GivenFault>& events) {
      for (const weft::models::FaultEvent& event : events)
        WEFT_ASSERT(event.at <= weft::Tick{1} << 62 && event.error_rate >= 0 && event.error_rate <= 1 &&
                    event.rate_factor > 0 && event.rate_factor <= 1);
    };
    try {
      check(weft::tools::fault_events(text, time, "fuzz"));
    } catch (const weft::ConfigError&) {
    }
    for (const char* const path : {"fuzz", "fuzz.json"}) {
      try {
        check(weft::tools::fault_events_of_text(text, time, path));
      } catch (const weft::ConfigError&) {
      }
    }
    try {
      for (const weft::models::FaultProcess& process : weft::tools::fault_processes(text, time, "fuzz"))
        WEFT_ASSERT(process.up_ticks >= 1 && process.repair_ticks >= 1 && process.shape > 0);
    } catch (const weft::ConfigError&) {
    }
  }
  return 0;
}
