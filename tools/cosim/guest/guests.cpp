// See the header.
#include "tools/cosim/guest/guests.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "tools/cosim/guest/addresses.hpp"
#include "tools/cosim/guest/initrd.hpp"

namespace weft::tools::cosim::guest {
namespace {

void check(const GuestSettings& settings) {
  if (settings.guests == 0 || settings.guests > most_guests)
    throw ConfigError(fmt::format("{} guests (1 to {} have addresses); use fewer", settings.guests, most_guests));
  if (settings.commands.size() > settings.guests)
    throw ConfigError(fmt::format("cosim.commands has {} commands for {} guests; give at most one for each",
                                  settings.commands.size(), settings.guests));
  if (settings.commands.empty() || settings.commands.front().empty())
    throw ConfigError("cosim.commands gives guest 0 nothing to do (its end is the end of those that only serve); give it a "
                      "command, for example \"ping -c 3 guest1\"");
}

}  // namespace

Guests::Guests(const GuestSettings& settings) : settings_(settings) {
  check(settings_);
  installed_ = installed_for_guests();
  std::error_code error;
  std::filesystem::create_directories(settings_.folder, error);
  if (error)
    throw SystemError(fmt::format("cannot make the folder '{}' for the guests' consoles ({}); name another in cosim.folder",
                                  settings_.folder, error.message()));
  snapshot_ = snapshot_of(installed_, build_initrd(installed_, settings_.programs), settings_.memory_mib, settings_.shift,
                          settings_.patience_s);
}

std::unique_ptr<GuestEndpoint> Guests::start(u32 number) const {
  const auto command_of = [&](u32 guest) {
    return guest < settings_.commands.size() ? settings_.commands[guest] : std::string{};
  };
  Job job;
  job.number = number;
  job.guests = settings_.guests;
  job.command = command_of(number);
  job.ends_others = number == 0;
  for (u32 other = 1; job.ends_others && other < settings_.guests; ++other) {
    if (command_of(other).empty()) job.serving.push_back(other);
  }
  return std::make_unique<GuestEndpoint>(installed_, snapshot_, job, settings_.folder, settings_.patience_s);
}

}  // namespace weft::tools::cosim::guest
