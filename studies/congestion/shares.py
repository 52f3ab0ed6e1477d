"""What victims and the hot node get, as fractions of a link: shares.py RESULT."""

import sys

import h5py

with h5py.File(sys.argv[1]) as result:
    pairs = zip(result["pairs/source"][:], result["pairs/destination"][:], result["pairs/packets"][:])
    cycles = result["summary"].attrs["cycles"] if "cycles" in result["summary"].attrs else result["summary/cycles"][()]
    packets = {(int(source), int(to)): int(count) for source, to, count in pairs}
phits = 16
victims = [packets.get(pair, 0) * phits / cycles for pair in ((6, 11), (10, 15), (14, 7))]
hot = sum(count for (_, to), count in packets.items() if to == 0) * phits / cycles
print("victims", " ".join(f"{share:.3f}" for share in victims), " node 0", f"{hot:.3f}")
