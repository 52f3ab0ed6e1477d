// Gathers files and packs them; see the header.
#include "tools/cosim/guest/initrd.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/program_path.hpp"
#include "engine/base/system/run_weft.hpp"
#include "tools/cosim/guest/cpio.hpp"
#include "tools/cosim/guest/init_script.hpp"

namespace weft::tools::cosim::guest {
namespace {

namespace fs = std::filesystem;

constexpr const char* mpich_library = "libmpich.so";
constexpr const char* openmpi_library = "libmpi.so.40";

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file || !content) throw SystemError(fmt::format("cannot read '{}' for a guest; check its permissions", path));
  return std::move(content).str();
}

/// Without the slash at the front, and where a merged /usr has it.
std::string in_archive(const std::string& path) { return path.substr(path.find_first_not_of('/')); }

/// Whether it is linked with MPICH.
bool add_program(CpioArchive& archive, const std::string& path, const std::string& place) {
  const std::string content = content_of(path);
  archive.file(place, content, true);
  // A script brings no libraries; its interpreter is the guest's business.
  if (!content.starts_with("\x7f"
                           "ELF"))
    return false;
  const process::ChildOutcome ldd = process::run_child({"ldd", path});
  std::vector<std::string> missing;
  for (const std::string& library : libraries_of_ldd(ldd.output, missing)) {
    if (!archive.has(in_archive(library))) archive.file(in_archive(library), content_of(library), true);
  }
  if (!missing.empty())
    throw ConfigError(
        fmt::format("cosim.programs: '{}' lacks libraries ({}); install them here, they are copied into the guests",
                    path, fmt::join(missing, ", ")));
  if (ldd.output.find(openmpi_library) != std::string::npos)
    throw ConfigError(
        fmt::format("cosim.programs: '{}' is linked with Open MPI, which guests do not have; compile it with "
                    "mpicc.mpich",
                    path));
  return ldd.output.find(mpich_library) != std::string::npos;
}

void add_mpich(CpioArchive& archive) {
  const std::string manager = process::program_path("mpiexec.hydra");
  const std::string helper = process::program_path("hydra_pmi_proxy");
  if (manager.empty() || helper.empty())
    throw SystemError(
        fmt::format("guests have no mpiexec (mpiexec.hydra and hydra_pmi_proxy of the package mpich are missing here); "
                    "{} --guests installs it",
                    process::own_script("install-packages")));
  // The manager starts the helper where it itself is here.
  add_program(archive, manager, "usr/bin/mpiexec");
  add_program(archive, helper, "usr/bin/hydra_pmi_proxy");
  archive.file("bin/weft-launch", launch_script(), true);
}

}  // namespace

std::vector<std::string> libraries_of_ldd(const std::string& output, std::vector<std::string>& missing) {
  std::vector<std::string> libraries;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    // "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)", "\t/lib64/ld-linux-x86-64.so.2 (0x...)", "... => not
    // found"
    const std::size_t name = line.find_first_not_of(" \t");
    if (name == std::string::npos) continue;
    if (line.find("=> not found") != std::string::npos) {
      missing.push_back(line.substr(name, line.find(' ', name) - name));
      continue;
    }
    const std::size_t path = line.find('/');
    const std::size_t end = line.find(" (0x");
    if (path != std::string::npos && end != std::string::npos && path < end)
      libraries.push_back(line.substr(path, end - path));
  }
  return libraries;
}

std::string build_initrd(const Installed& installed, const std::vector<std::string>& programs) {
  CpioArchive archive;
  archive.file("init", init_script(), true);
  archive.file("bin/busybox", content_of(installed.busybox), true);
  archive.link("bin/sh", "busybox");
  for (const std::string& module : kernel_modules())
    archive.file(fmt::format("lib/modules/{}.ko", module),
                 content_of(fmt::format("{}/{}.ko", installed.modules, module)), false);
  for (const char* folder : {"dev", "proc", "sys", "tmp", "root", "etc"}) archive.folder(folder);
  archive.file("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n", false);
  archive.file("etc/nsswitch.conf", "hosts: files\n", false);
  bool mpich = false;
  for (const std::string& program : programs) {
    const std::string path = process::program_path(program);
    if (path.empty())
      throw ConfigError(
          fmt::format("cosim.programs: '{}' is no program (not there or not executable); give its path", program));
    const std::string name = fs::path(path).filename();
    mpich |= add_program(archive, path, "root/" + name);
    archive.link("usr/bin/" + name, "/root/" + name);
  }
  if (mpich) add_mpich(archive);
  return archive.bytes();
}

}  // namespace weft::tools::cosim::guest
