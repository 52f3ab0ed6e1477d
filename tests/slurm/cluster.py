"""A SLURM cluster of its own on this machine: munge, controller and nodes as child processes in a temporary folder, on
free ports of the loopback interface. Nothing of it is left when it is closed, nor when this process is killed."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "sinfo", "scancel")
SEARCHED = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
CPUS = 4  # of each node, whatever this machine has

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)

CONFIG = """
ClusterName=weft
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
# A requeued job waits until its old credential is out of date: 120 s by default.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
MpiDefault=none
SlurmctldPort={controller_port}
SlurmctldPidFile={folder}/slurmctld.pid
StateSaveLocation={folder}/state
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdSpoolDir={folder}/spool.%n
# PMIx keeps its files here; one folder for all nodes of a machine would make them collide.
TmpFS={folder}/tmp.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,batch_sched_delay=0,sched_interval=2,requeue_delay=1
ReturnToService=2
SlurmdTimeout=10
KillWait=5
MinJobAge=3600
MaxArraySize=101
JobRequeue=1
PropagateResourceLimitsExcept=MEMLOCK
SlurmdParameters=config_overrides
NodeName=n[1-{nodes}] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{first_port}-{last_port}] CPUs={cpus} """ \
"""Boards=1 SocketsPerBoard=1 CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=n[1-{nodes}] Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Why there can be no cluster here, or "" if there can."""
    if os.geteuid() != 0:
        return "not root (slurmd starts jobs as their users)"
    absent = [name for name in PROGRAMS if shutil.which(name, path=SEARCHED) is None]
    if absent:
        return f"not installed: {' '.join(absent)} (tools/install-packages --optional)"
    return ""


def free_ports(count):
    """The first of `count` ports in a row that nobody listens on."""
    for first in range(20000 + os.getpid() % 5000, 32000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
    raise RuntimeError("no free ports")


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def descendants(root):
    """Process ids of all children of a process, and theirs."""
    found, open_ids = [], [root]
    while open_ids:
        try:
            tasks = list(Path(f"/proc/{open_ids[-1]}/task").iterdir())
            open_ids.pop()
            for task in tasks:
                children = [int(pid) for pid in (task / "children").read_text(encoding="ascii").split()]
                found += children
                open_ids += children
        except OSError:
            if open_ids and not Path(f"/proc/{open_ids[-1]}").exists():
                open_ids.pop()
    return found


def read_proc(pid, what):
    try:
        return Path(f"/proc/{pid}/{what}").read_text(encoding="utf-8", errors="replace")
    except OSError:  # it has ended
        return ""


def environment_of(pid):
    return read_proc(pid, "environ").split("\0")


def name_of(pid):
    return read_proc(pid, "comm")


def parent_of(pid):
    fields = read_proc(pid, "stat").rpartition(")")[2].split()
    return int(fields[1]) if fields else 0


class Cluster:
    """Use as context manager."""

    def __init__(self, nodes):
        self.nodes = nodes
        # Jobs outlive the daemons that started them; as our children we can find them.
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.folder = Path(tempfile.mkdtemp(prefix="weft-slurm-"))
        self.folder.chmod(0o755)
        self.daemons = {}
        first = free_ports(nodes + 1)
        text = CONFIG.format(folder=self.folder, controller_port=first, first_port=first + 1, last_port=first + nodes,
                             nodes=nodes, cpus=CPUS)
        self.config = self.folder / "slurm.conf"
        self.config.write_text(text, encoding="utf-8")
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))},
            "PATH": SEARCHED,
            "SLURM_CONF": str(self.config),
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1",  # the nodes pretend to have more cores than there are
            "OMPI_MCA_btl": "self,tcp",  # nodes with one host name must not share memory files
            "PMIX_MCA_gds": "hash",
        }

    def __enter__(self):
        try:
            self.start_munge()
            (self.folder / "state").mkdir()
            self.start("slurmctld", "slurmctld", "-D", "-f", self.config)
            for node in range(1, self.nodes + 1):
                self.start_node(f"n{node}")
            self.wait_until(lambda: self.said("sinfo", "-h", "-N", "-o", "%T").split() == ["idle"] * self.nodes, 40,
                            "the nodes to be idle")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def start(self, name, *command):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.daemons[name] = subprocess.Popen(
                list(map(str, command)), env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder, preexec_fn=die_with_parent)

    def start_munge(self):
        folder = self.folder / "munge"
        folder.mkdir(mode=0o711)
        key = folder / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.start("munged", "munged", "--foreground", "--force", f"--key-file={key}",
                   f"--socket={self.folder}/munge.socket", f"--pid-file={folder}/pid", f"--log-file={folder}/log",
                   f"--seed-file={folder}/seed")
        self.wait_until(lambda: (self.folder / "munge.socket").exists(), 10, "munge's socket")

    def start_node(self, node):
        (self.folder / f"spool.{node}").mkdir(exist_ok=True)
        (self.folder / f"tmp.{node}").mkdir(exist_ok=True)
        self.start(node, "slurmd", "-D", "-f", self.config, "-N", node)

    def kill_node(self, node):
        """As if its power were cut: the daemon and all that runs there."""
        daemon = self.daemons.pop(node)
        gone = {pid for pid in descendants(os.getpid()) if f"SLURMD_NODENAME={node}" in environment_of(pid)}
        # The keepers of jobs (slurmstepd) do not say where they are, but are parents of those that do.
        gone |= {parent for parent in map(parent_of, gone) if name_of(parent).startswith("slurmstepd")}
        gone.add(daemon.pid)
        for sign in (signal.SIGSTOP, signal.SIGKILL):  # nobody shall see another die and report it
            for pid in gone:
                kill(pid, sign)
        daemon.wait()

    def said(self, *command, check=False, **more):
        done = subprocess.run(list(map(str, command)), env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False, **more)
        if check and done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def job(self, number):
        """The fields of scontrol show job; of the first task where it is an array."""
        fields = self.said("scontrol", "-o", "show", "job", number).splitlines()
        return dict(word.split("=", 1) for word in fields[0].split() if "=" in word) if fields else {}

    def jobs(self, number):
        """The fields of each task of an array that has been started."""
        lines = self.said("scontrol", "-o", "show", "job", number).splitlines()
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]

    def wait_for_end(self, number, limit_s):
        self.wait_until(lambda: self.said("squeue", "-h", "-j", number).strip() == "", limit_s, f"job {number} to end")

    def wait_until(self, condition, limit_s, what):
        deadline = time.monotonic() + limit_s
        while not condition():
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    raise AssertionError(f"{name} ended with {daemon.returncode}:\n{self.log(name)}")
            if time.monotonic() > deadline:
                raise AssertionError(f"waited {limit_s} s for {what}\n{self.said('squeue')}{self.log('slurmctld')}")
            time.sleep(0.25)

    def log(self, name, lines=25):
        path = self.folder / f"{name}.log"
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        return "\n".join(text.splitlines()[-lines:]) + "\n"

    def close(self):
        """Ends everything that was started here and what that has started."""
        for name in sorted(self.daemons, reverse=True):
            self.daemons[name].terminate()
        deadline = time.monotonic() + 5
        while any(daemon.poll() is None for daemon in self.daemons.values()) and time.monotonic() < deadline:
            time.sleep(0.05)
        for _ in range(100):
            left = descendants(os.getpid())
            if not left:
                break
            for pid in left:
                kill(pid)
            reap()
            time.sleep(0.05)
        self.daemons = {}
        shutil.rmtree(self.folder, ignore_errors=True)


def kill(pid, sign=signal.SIGKILL):
    try:
        os.kill(pid, sign)
    except OSError:
        pass


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] > 0:
            pass
    except ChildProcessError:
        pass
