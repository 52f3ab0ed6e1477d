// Looks for what guests are made of; see the header.
#include "tools/cosim/guest/installed.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/system/program_path.hpp"
#include "engine/base/system/run_weft.hpp"

namespace weft::tools::cosim::guest {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Installed places() {
  Installed all;
  all.qemu = process::program_path("qemu-system-x86_64");
  all.busybox = process::program_path("/bin/busybox");
  const fs::path cache = cache_folder();
  all.kernel = cache / "guest-kernel/vmlinuz";
  all.modules = cache / "guest-kernel/modules";
  all.snapshots = cache / "guest-snapshots";
  // Beside the program, as the tracer's library is.
  all.plugin = (fs::path(process::this_program()).parent_path() / "../lib/weft/weft-guest.so").lexically_normal();
  if (const std::string named = variable("WEFT_GUEST_PLUGIN"); !named.empty()) all.plugin = named;
  return all;
}

std::vector<std::string> missing_of(const Installed& all) {
  const std::string install_packages = process::own_script("install-packages") + " --guests";
  std::vector<std::string> missing;
  if (all.qemu.empty()) missing.push_back(fmt::format("qemu-system-x86_64 ({})", install_packages));
  if (all.busybox.empty()) missing.push_back(fmt::format("/bin/busybox of busybox-static ({})", install_packages));
  std::vector<std::string> kernel{all.kernel};
  for (const std::string& module : kernel_modules()) kernel.push_back(fmt::format("{}/{}.ko", all.modules, module));
  for (const std::string& path : kernel) {
    if (is_there(path)) continue;
    missing.push_back(fmt::format("the guests' kernel, {} ({})", path, process::own_script("install-guest-kernel")));
    break;
  }
  if (!is_there(all.plugin))
    missing.push_back(fmt::format("the plug-in of QEMU, {} (build or install weft anew)", all.plugin));
  return missing;
}

}  // namespace

const std::vector<std::string>& kernel_modules() {
  static const std::vector<std::string> names{"virtio_ring",           "virtio",     "virtio_pci_legacy_dev",
                                              "virtio_pci_modern_dev", "virtio_pci", "failover",
                                              "net_failover",          "virtio_net", "qemu_fw_cfg"};
  return names;
}

std::string cache_folder() {
  if (std::string named = variable("WEFT_CACHE_DIR"); !named.empty()) return named;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/weft";
  const std::string home = variable("HOME");
  return (home.empty() ? "/tmp" : home) + "/.cache/weft";
}

std::vector<std::string> missing_for_guests() { return missing_of(places()); }

Installed installed_for_guests() {
  Installed all = places();
  if (const std::vector<std::string> missing = missing_of(all); !missing.empty())
    throw SystemError(fmt::format("guests cannot start (missing: {}); the command in brackets installs it",
                                  fmt::join(missing, ", ")));
  return all;
}

}  // namespace weft::tools::cosim::guest
