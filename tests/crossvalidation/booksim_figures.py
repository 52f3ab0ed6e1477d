"""Figures of BookSim 2 (commit 28f4329), measured on 2026-11-26: accepted load and mean latency by offered load.

Its `iq` router: delays of routing, VC allocation, switch allocation and switch traversal 1 each, credit delay 1,
internal speed-up 2, iSLIP, 8 VCs of 32 flits, packets of 1 flit (dragonflies: 10). Two lines were changed so that
traffic is as weft's: uniform traffic without the own node, and permutations that map a node to itself send nothing."""

# Of each network, routing and pattern: (offered, accepted, latency). Latencies begin one cycle before weft's do.
BOOKSIM = {
    "mesh 8x8 DOR uniform": [(0.1, 0.1, 21.51), (0.2, 0.1993, 21.99), (0.3, 0.3013, 23.07), (0.45, 0.4496, 29.42),
                             (1, 0.4803, 2501)],
    "mesh 8x8 DOR tornado": [(0.05, 0.0498, 27.77), (0.1, 0.0999, 28.17), (0.15, 0.1496, 28.65), (0.2, 0.1994, 29.41),
                             (0.3, 0.3009, 36.2), (1, 0.1544, 5573)],
    "mesh 8x8 DOR transpose": [(0.05, 0.0436, 23.4), (0.1, 0.0875, 24.11), (0.15, 0.1295, 88.66), (0.2, 0.1558, 649),
                               (0.3, 0.1819, 1156), (1, 0.2187, 3338)],
    "mesh 8x8 DOR bit-complement": [(0.05, 0.0498, 29.4), (0.1, 0.0999, 29.88), (0.15, 0.1495, 30.61),
                                    (0.2, 0.1993, 32.47), (0.3, 0.2222, 1319), (1, 0.1256, 5509)],
    "torus 8x8 DOR uniform": [(0.1, 0.0999, 17.57), (0.2, 0.1994, 17.76), (0.3, 0.3013, 18.21), (0.45, 0.45, 18.95),
                              (1, 0.9735, 197)],
    "torus 8x8 DOR tornado": [(0.1, 0.0999, 23.89), (0.2, 0.1993, 25.56), (0.3, 0.3008, 35.27), (0.45, 0.1204, 2505),
                              (1, 0.1008, 5259)],
    "torus 8x8 DOR transpose": [(0.1, 0.0875, 19.31), (0.2, 0.1745, 20.49), (0.3, 0.2493, 284), (0.45, 0.2497, 1412),
                                (1, 0.2498, 3185)],
    "torus 8x8 DOR bit-complement": [(0.1, 0.0999, 17.28), (0.2, 0.1993, 17.61), (0.3, 0.3011, 18.1),
                                     (0.45, 0.4497, 21.39), (1, 0.3753, 3291)],
    "fattree 4-ary 3 nca uniform": [(0.3, 0.3004, 16.37), (0.7, 0.7021, 19.62), (1, 0.9908, 70.88)],
    "fattree 4-ary 3 nca transpose": [(0.5, 0.4377, 18), (1, 0.8682, 58.66)],
    "fattree 4-ary 3 nca bit-complement": [(0.5, 0.4999, 19.14), (1, 0.9859, 90.77)],
    "fattree 4-ary 3 anca uniform": [(0.3, 0.3006, 16.43), (0.7, 0.7015, 19.49), (1, 0.992, 66.86)],
    "fattree 4-ary 3 anca transpose": [(0.5, 0.4377, 18.01), (1, 0.8703, 43.3)],
    "fattree 4-ary 3 anca bit-complement": [(0.5, 0.4998, 19.07), (1, 0.9985, 40.55)],
    "flatfly 4x4x4 ran_min uniform": [(0.3, 0.3006, 10.27), (0.6, 0.6008, 11.65), (1, 0.9771, 98.42)],
    "flatfly 4x4x4 valiant uniform": [(0.1, 0.0982, 13.79), (0.3, 0.3005, 15.51), (0.45, 0.4495, 20.84),
                                      (1, 0.5253, 1567)],
    "flatfly 4x4x4 ugal uniform": [(0.3, 0.3007, 10.53), (0.6, 0.6008, 12.01), (1, 0.9715, 117)],
    "dragonfly min uniform": [(0.3, 0.294, 131), (0.6, 0.5739, 272), (1, 0.5703, 1258)],
    "dragonfly min next-group": [(0.05, 0.0523, 140), (0.1, 0.0788, 746), (0.3, 0.0782, 2928), (1, 0.078, 4195)],
    "dragonfly ugal uniform": [(0.3, 0.2936, 145), (0.6, 0.5801, 258), (1, 0.5961, 1261)],
    "dragonfly ugal next-group": [(0.05, 0.0521, 160), (0.1, 0.0994, 214), (0.3, 0.1725, 1281), (1, 0.1476, 2800)],
    "dragonfly p2 min uniform D=1": [(0.3, 0.2941, 28.98), (0.6, 0.5881, 48.93), (1, 0.9497, 300)],
    "dragonfly p2 min next-group D=1": [(0.1, 0.0978, 41.42), (1, 0.125, 4536)],
    "dragonfly p2 ugal uniform D=1": [(0.6, 0.5872, 48.45), (1, 0.9354, 328)],
    "dragonfly p2 ugal next-group D=1": [(0.1, 0.0967, 36.9), (0.3, 0.2956, 193), (1, 0.2688, 2076)],
}
