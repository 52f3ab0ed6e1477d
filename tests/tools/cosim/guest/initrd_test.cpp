// What goes into a guest: libraries of its programs, and the scripts that it runs.
#include "tools/cosim/guest/initrd.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "engine/base/system/child_process.hpp"
#include "tests/tools/cosim/guest/two_guests.hpp"
#include "tools/cosim/guest/init_script.hpp"

namespace weft::tools::cosim::guest {
namespace {

TEST(GuestInitrd, LibrariesAreThoseThatLddFinds) {
  std::vector<std::string> missing;
  const auto libraries = libraries_of_ldd(
      "\tlinux-vdso.so.1 (0x00007fff)\n"
      "\tlibmpich.so.12 => /lib/x86_64-linux-gnu/libmpich.so.12 (0x00007f00)\n"
      "\tlibnone.so.3 => not found\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f01)\n",
      missing);
  EXPECT_EQ(libraries,
            (std::vector<std::string>{"/lib/x86_64-linux-gnu/libmpich.so.12", "/lib64/ld-linux-x86-64.so.2"}));
  EXPECT_EQ(missing, (std::vector<std::string>{"libnone.so.3"}));
  EXPECT_TRUE(libraries_of_ldd("\tstatically linked\n", missing).empty());
}

/// Files that stand in for what is installed, so that this needs no QEMU.
class Initrd : public ::testing::Test {
 protected:
  Initrd() {
    installed_.busybox = write("busybox", "static program");
    installed_.modules = folder_.path();
    for (const std::string& module : kernel_modules()) write(module + ".ko", "driver " + module);
  }
  std::string write(const std::string& name, const std::string& content) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << content;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  std::string problem_with(const std::string& program) {
    try {
      static_cast<void>(build_initrd(installed_, {program}));
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  ScratchFolder folder_;
  Installed installed_;
};

TEST_F(Initrd, HasProgramsWithTheirLibrariesAndTheSameBytesEachTime) {
  const std::string script = write("job.sh", "#!/bin/sh\necho of the user\n");
  const std::string bytes = build_initrd(installed_, {script, "/bin/ls"});
  for (const char* part : {"root/job.sh", "echo of the user", "root/ls", "usr/bin/ls", "libc.so.6",
                           "ld-linux-x86-64.so.2", "lib/modules/virtio_net.ko", "driver virtio_net", "weft: ready"})
    EXPECT_NE(bytes.find(part), std::string::npos) << part;
  EXPECT_EQ(bytes.find("hydra_pmi_proxy"), std::string::npos) << "no program of MPI";
  EXPECT_EQ(bytes, build_initrd(installed_, {script, "/bin/ls"}));
}

TEST_F(Initrd, WhatIsNoProgramIsNamed) {
  EXPECT_EQ(problem_with("/no/such"),
            "cosim.programs: '/no/such' is no program (not there or not executable); give its path");
}

TEST(GuestScripts, AreShellsScripts) {
  Job job{.number = 3, .guests = 260, .command = "ping -c 1 guest1 && echo \"it's\"", .ends_others = false};
  for (const std::string& script :
       {init_script(), launch_script(), job_script(job), job_script({.number = 0, .guests = 2})}) {
    const process::ChildOutcome checked = process::run_child({"sh", "-n", "-c", script});
    EXPECT_EQ(checked.exit_code, 0) << checked.error;
  }
  const std::string script = job_script(job);
  for (const char* part : {"ip link set dev eth0 address 52:54:00:00:00:03", "ip address add 10.9.0.4/16 dev eth0",
                           "hostname guest3", "10.9.1.10 guest259", "ping -c 1 guest1 && echo \"it's\""})
    EXPECT_NE(script.find(part), std::string::npos) << part;
}

TEST(GuestScripts, AGuestThatServesIsToldToEndByGuest0Alone) {
  EXPECT_NE(job_script({.number = 0, .guests = 3, .command = "true", .ends_others = true}).find("nc -w 1 guest2"),
            std::string::npos);
  EXPECT_EQ(job_script({.number = 1, .guests = 3}).find("nc -w 1"), std::string::npos);
}

}  // namespace
}  // namespace weft::tools::cosim::guest
