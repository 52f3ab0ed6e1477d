# Environment for mpirun on a workstation or in a container. Source it, do not run it: . tools/mpi-env.sh
# shellcheck shell=bash
#
# Set WEFT_RANKS to the number of ranks before sourcing, so that ranks that outnumber the cores give way to each other.
# A variable that is already set is left as it is. Under SLURM on a real cluster none of this is needed.

# Cores this process may use: the affinity mask, or less where a container's processor quota says so.
weft_cores() {
  local cores quota period
  cores=$(nproc)
  if [ -r /sys/fs/cgroup/cpu.max ]; then
    read -r quota period </sys/fs/cgroup/cpu.max || true
    case $quota in
      '' | *[!0-9]*) ;;  # "max": no quota
      *)
        quota=$(((quota + period - 1) / period))
        if [ "$quota" -lt "$cores" ]; then cores=$quota; fi
        ;;
    esac
  fi
  echo "$cores"
}

weft_in_container() {
  [ -e /.dockerenv ] || [ -e /run/.containerenv ] || [ -n "${container:-}" ] ||
    grep -qE '(docker|kubepods|containerd|lxc|libpod)' /proc/1/cgroup 2>/dev/null
}

# Open MPI refuses to run as root unless told twice; containers and fresh machines have nobody else.
if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT="${OMPI_ALLOW_RUN_AS_ROOT:-1}"
  export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM:-1}"
fi

# Let tests use more ranks than there are cores.
export OMPI_MCA_rmaps_base_oversubscribe="${OMPI_MCA_rmaps_base_oversubscribe:-1}"

# A rank that waits spins by default, and then keeps the core from the rank it waits for: 4 ranks on 2 cores took 25 ms
# for an 8-byte reduction spinning, 6 us yielding. With a core for each rank spinning is the faster way.
if [ "${WEFT_RANKS:-1}" -gt "$(weft_cores)" ]; then
  export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
fi

# Containers forbid process_vm_readv, which the shared-memory transport would use for large messages and complain about.
if weft_in_container; then
  export OMPI_MCA_btl_vader_single_copy_mechanism="${OMPI_MCA_btl_vader_single_copy_mechanism:-none}"
fi
