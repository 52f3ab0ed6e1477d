// Scripts for busybox's shell; see the header.
#include "tools/cosim/guest/init_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "tools/cosim/guest/addresses.hpp"
#include "tools/cosim/guest/installed.hpp"

namespace weft::tools::cosim::guest {
namespace {

/// Where guests take commands from each other.
constexpr u32 command_port = 514;
/// Last line of a job.
constexpr const char* end_of_job = "# weft: whole";

}  // namespace

std::string init_script() {
  std::vector<std::string> modules = kernel_modules();
  const std::string last = modules.back();
  modules.pop_back();
  return fmt::format(R"(#!/bin/busybox sh
/bin/busybox mkdir -p /dev /proc /sys /tmp /root /etc /usr/bin
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
for module in {modules}; do insmod /lib/modules/$module.ko || echo "weft: no driver $module"; done
ip link set lo up
# The kernel says that a card works up to a second after its driver has, and programs look for that.
ip link set dev eth0 up
until grep -q up /sys/class/net/eth0/operstate; do usleep 1000; done
# Free memory of nothing but zeros: a snapshot need not keep what was read at the start.
dd if=/dev/zero of=/zeros bs=1M count=$(awk '/MemFree/{{print int($2/1024)-16}}' /proc/meminfo) 2>/dev/null
rm -f /zeros
echo "{ready}"
while :; do
  insmod /lib/modules/{last}.ko
  cat /sys/firmware/qemu_fw_cfg/by_name/opt/weft/job/raw >/tmp/job
  # One that was being read when the snapshot was taken is not whole.
  grep -q '^{whole}$' /tmp/job && break
  rmmod {last}
  usleep 20000
done
. /tmp/job
)",
                     fmt::arg("modules", fmt::join(modules, " ")), fmt::arg("last", last),
                     fmt::arg("ready", ready_line), fmt::arg("whole", end_of_job));
}

std::string launch_script() {
  return fmt::format(R"(#!/bin/sh
# MPICH's process manager starts its helpers on other guests by this, as it would by ssh.
while [ "${{1#-}}" != "$1" ]; do shift; done
host=$1
shift
{{ echo "cd /root; $@"; echo exit; }} >/tmp/launch.$$
until nc $host {port} </tmp/launch.$$; do usleep 1000; done
)",
                     fmt::arg("port", command_port));
}

std::string job_script(const Job& job) {
  WEFT_ASSERT(job.number < job.guests);
  std::string hosts = "127.0.0.1 localhost\n";
  std::string names;
  for (u32 k = 0; k < job.guests; ++k) {
    hosts += fmt::format("{} {}\n", ip_address(k), host_name_of(k));
    names += fmt::format("{}\n", host_name_of(k));
  }
  std::string script =
      fmt::format(R"(cat >/etc/hosts <<'end of hosts'
{hosts}end of hosts
cat >/etc/mpi-hosts <<'end of hosts'
{names}end of hosts
hostname {name}
# Guests have the same random numbers until the kernel mixes this in, and by this number programs tell machines apart.
echo {name} >/dev/urandom
echo {boot_id} >/etc/boot_id
mount -o bind /etc/boot_id /proc/sys/kernel/random/boot_id
ip link set dev eth0 address {mac}
ip address add {ip}/16 dev eth0
export WEFT_GUEST={number} WEFT_GUESTS={guests}
export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=/bin/weft-launch HYDRA_HOST_FILE=/etc/mpi-hosts HYDRA_IFACE=eth0
cd /root
nc -ll -p {port} -e /bin/sh >/dev/null 2>&1 &
)",
                  fmt::arg("hosts", hosts), fmt::arg("names", names), fmt::arg("name", host_name_of(job.number)),
                  fmt::arg("mac", mac_address(job.number)), fmt::arg("ip", ip_address(job.number)),
                  fmt::arg("boot_id", fmt::format("00000000-0000-4000-8000-{:012x}", job.number)),
                  fmt::arg("number", job.number), fmt::arg("guests", job.guests), fmt::arg("port", command_port));
  if (job.command.empty()) {
    // Its own processor has nothing to do meanwhile.
    return script + fmt::format("while :; do sleep 1000000; done\n{}\n", end_of_job);
  }
  script += fmt::format("(\n{}\n)\nstatus=$?\n", job.command);
  for (u32 other = 1; job.ends_others && other < job.guests; ++other) {
    script += fmt::format("echo '(usleep 1000; poweroff -f) </dev/null >/dev/null 2>&1 & exit' | nc -w 1 {} {}\n",
                          host_name_of(other), command_port);
  }
  return script + fmt::format("echo \"{}$status\"\npoweroff -f\n{}\n", status_line, end_of_job);
}

}  // namespace weft::tools::cosim::guest
