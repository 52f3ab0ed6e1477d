// The first and only file system of a guest: busybox, drivers, the user's programs with their libraries, MPICH's
// process manager.
#pragma once

#include <string>
#include <vector>

#include "tools/cosim/guest/installed.hpp"

namespace weft::tools::cosim::guest {

/// Uncompressed: unpacking would take the guest longer than reading. `programs`: paths, or names that PATH leads to;
/// they are put into /root and /usr/bin under their last name. Programs linked with MPICH bring its mpiexec. Throws
/// ConfigError for what is no program, is linked with Open MPI or lacks a library; SystemError for what cannot be read.
[[nodiscard]] std::string build_initrd(const Installed& installed, const std::vector<std::string>& programs);

/// Paths of the libraries, the dynamic linker among them, in what `ldd` prints; those that are not found are named in
/// `missing`.
[[nodiscard]] std::vector<std::string> libraries_of_ldd(const std::string& output, std::vector<std::string>& missing);

}  // namespace weft::tools::cosim::guest
