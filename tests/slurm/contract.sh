#!/bin/bash
# A stand-in for weft that keeps its contract about checkpoints, with steps of a fifth of a second in place of a
# simulation: on USR1 or TERM it writes the step it has reached to checkpoint.path and ends with 75; --resume goes on
# from there. The result holds a line for each start. CRASH_AT: the step at which it writes a checkpoint and is killed.
if [[ $* == *--help* ]]; then
  echo "  --resume CHECKPOINT.h5  go on from a checkpoint"
  exit 0
fi
if [[ $1 != run ]]; then exit 0; fi
if [[ $* == *--print-config* ]]; then
  cat "$2"
  exit 0
fi
steps=$(<"$2")
shift 2
checkpoint='' out='' step=0
while (($# > 0)); do
  case $1 in
    --set) [[ $2 == checkpoint.path=* ]] && checkpoint=${2#*=} ;;
    --out) out=$2 ;;
    --resume) step=$(<"$2") ;;
  esac
  shift 2
done
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-0}}
first=$step
trap 'if ((rank == 0)); then echo "$step" >"$checkpoint"; echo "$first-$step" >>"$out.starts"; fi; exit 75' USR1 TERM
while ((step < steps)); do
  sleep 0.2
  step=$((step + 1))
  if ((step == ${CRASH_AT:-0})); then
    echo "$step" >"$checkpoint"
    kill -9 $$
  fi
done
if ((rank == 0)); then
  echo "$first-$step" >>"$out.starts"
  mv "$out.starts" "$out"
fi
