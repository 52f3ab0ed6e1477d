// What guests are made of and where it is: QEMU, the kernel, busybox, weft's plug-in of QEMU, the folder for snapshots.
#pragma once

#include <string>
#include <vector>

namespace weft::tools::cosim::guest {

/// Modules of the kernel that a guest loads, in order; the last is loaded when it starts from its snapshot.
[[nodiscard]] const std::vector<std::string>& kernel_modules();

struct Installed {
  std::string qemu;       ///< program
  std::string busybox;    ///< program, static
  std::string kernel;     ///< image
  std::string modules;    ///< folder of NAME.ko
  std::string plugin;     ///< weft's shared library for QEMU
  std::string snapshots;  ///< folder, which need not exist
};

/// WEFT_CACHE_DIR, else XDG_CACHE_HOME/weft, else ~/.cache/weft.
[[nodiscard]] std::string cache_folder();

/// What is missing, each with the command that installs it; empty: all is there.
[[nodiscard]] std::vector<std::string> missing_for_guests();

/// Throws SystemError that says what is missing and which command installs it.
[[nodiscard]] Installed installed_for_guests();

}  // namespace weft::tools::cosim::guest
