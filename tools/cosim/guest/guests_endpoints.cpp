// Endpoints "guests": virtual machines, each with its cable in the network.
#include <fmt/format.h>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/file/temporary_folder.hpp"
#include "tools/cosim/guest/guests.hpp"
#include "tools/cosim/sliced_cosimulation.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools::cosim {
namespace {

constexpr i64 longest_instruction_ns = 1024;

u32 shift_of(i64 instruction_ns) {
  u32 shift = 0;
  while ((i64{1} << shift) < instruction_ns) ++shift;
  if (i64{1} << shift != instruction_ns) {
    throw ConfigError(fmt::format("cosim.instruction_ns = {} is no power of two (QEMU counts so); use {} or {}",
                                  instruction_ns, i64{1} << (shift - 1), i64{1} << shift));
  }
  return shift;
}

/// Names that PATH leads to stay; paths are relative to the config.
std::vector<std::string> programs_of(const Config& config) {
  std::vector<std::string> programs;
  std::istringstream words(config.text("cosim.programs"));
  for (std::string word; words >> word;)
    programs.push_back(word.find('/') == std::string::npos ? word : config.resolve_path(word));
  return programs;
}

std::unique_ptr<Cosimulation> join_guests(const Config& config, engine::Transport& transport) {
  guest::GuestSettings settings;
  settings.memory_mib = static_cast<u32>(config.integer("cosim.memory_mib"));
  settings.shift = shift_of(config.integer("cosim.instruction_ns"));
  settings.patience_s = config.real("cosim.patience_s");
  settings.programs = programs_of(config);
  settings.command = config.text("cosim.guest_command");
  settings.everywhere = config.flag("cosim.everywhere");
  if (settings.command.empty()) {
    throw ConfigError(
        "guests have nothing to do (cosim.guest_command is not given); give guest 0 a command, for example "
        "guest_command = \"ping -c 3 guest1\"");
  }
  // Consoles go with the run unless they were asked for.
  const std::string given = config.text("cosim.consoles");
  const auto own = given.empty() ? std::make_shared<files::TemporaryFolder>("consoles") : nullptr;
  settings.folder = own ? own->path() : config.resolve_path(given);
  const auto guests = std::make_shared<guest::Guests>(settings);
  return sliced(config, transport, [guests, own](u32 number, u32 endpoints) -> std::unique_ptr<Endpoint> {
    return guests->start(number, endpoints);
  });
}

std::vector<Setting> rows_of_guests() {
  std::vector<Setting> rows = rows_of_slices();
  rows.push_back(
      row::text("cosim.guest_command", "",
                "what guest 0 does, words for its shell; when it has ended, all guests power off. mpiexec there "
                "starts processes on all guests."));
  rows.push_back(
      row::boolean("cosim.everywhere", false,
                   "every guest runs cosim.guest_command, with its number in WEFT_GUEST and how many there are "
                   "in WEFT_GUESTS, and powers off when its own has ended."));
  rows.push_back(
      row::text("cosim.programs", "",
                "programs that are copied into the guests with their libraries, separated by spaces: names that "
                "PATH leads to, or paths as seen from the config. Programs linked with MPICH bring its mpiexec."));
  rows.push_back(row::integer("cosim.memory_mib", "MiB", 192, {80, 16384},
                              "memory of a guest. What none of them changes is shared by all."));
  rows.push_back(row::integer("cosim.instruction_ns", "ns", 1, {1, longest_instruction_ns},
                              "simulated time of an instruction of a guest, a power of two."));
  rows.push_back(
      row::text("cosim.consoles", "",
                "folder for the guests' consoles, guestN.console.log, and for what QEMU says; empty: they go with "
                "the run."));
  return rows;
}

[[maybe_unused]] const bool guests_registered =
    EndpointRegistry::instance().add("guests", {.help = "virtual machines (QEMU) with Linux, busybox and MPICH",
                                                .settings = rows_of_guests(),
                                                .make = join_guests});

}  // namespace
}  // namespace weft::tools::cosim
