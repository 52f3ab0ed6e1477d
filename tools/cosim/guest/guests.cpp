// See the header.
#include "tools/cosim/guest/guests.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "tools/cosim/guest/addresses.hpp"
#include "tools/cosim/guest/initrd.hpp"

namespace weft::tools::cosim::guest {
Guests::Guests(const GuestSettings& settings) : settings_(settings) {
  installed_ = installed_for_guests();
  std::error_code error;
  std::filesystem::create_directories(settings_.folder, error);
  if (error)
    throw SystemError(
        fmt::format("cannot make the folder '{}' for the guests' consoles ({}); name another as cosim.consoles",
                    settings_.folder, error.message()));
  snapshot_ = snapshot_of(installed_, build_initrd(installed_, settings_.programs), settings_.memory_mib,
                          settings_.shift, settings_.patience_s);
}

std::unique_ptr<GuestEndpoint> Guests::start(u32 number, u32 guests) const {
  if (guests > most_guests)
    throw ConfigError(fmt::format("{} guests ({} have addresses of their own); use fewer", guests, most_guests));
  Job job;
  job.number = number;
  job.guests = guests;
  job.ends_others = number == 0 && !settings_.everywhere;
  if (number == 0 || settings_.everywhere) job.command = settings_.command;
  return std::make_unique<GuestEndpoint>(installed_, snapshot_, job, settings_.folder, settings_.patience_s);
}

}  // namespace weft::tools::cosim::guest
