"""Figures measured with INSEE for routers, topologies and policies beyond bubble tori and trees (Dally's rows of R1,
R4, R6), which weft is compared with by insee.py: mean and standard deviation over 3 seeds. Loads in phits/node/cycle,
latencies and times in cycles."""

# Tori, uniform traffic, Dally routers: dims, routing algorithm, VCs,
#   accepted at offered 1.0, latency at 0.1, accepted at 0.3, latency at 0.3. Mode adaptive after repair of INSEE's.
DALLY = [
    ((16, 16), "trc", 2, (0.1861, 0.0153), (31.18, 0.21), (0.2993, 0.0009), (125.2, 11.5)),
    ((16, 16), "basic", 2, (0.1778, 0.0032), (31.19, 0.28), (0.2993, 0.0014), (119.3, 3.7)),
    ((16, 16), "improved", 2, (0.3409, 0.0073), (30.79, 0.42), (0.2994, 0.0020), (88.3, 2.6)),
    ((16, 16), "adaptive", 4, (0.4772, 0.0008), (32.41, 0.21), (0.3014, 0.0017), (75.8, 0.5)),
    ((8, 8, 8), "trc", 2, (0.5242, 0.0146), (25.29, 0.07), (0.2994, 0.0018), (41.8, 0.1)),
    ((8, 8, 8), "basic", 2, (0.5399, 0.0029), (25.16, 0.05), (0.2993, 0.0018), (41.6, 0.1)),
    ((8, 8, 8), "improved", 2, (0.6454, 0.0043), (25.12, 0.07), (0.2989, 0.0023), (39.5, 0.4)),
    ((8, 8, 8), "adaptive", 4, (0.7278, 0.0014), (25.23, 0.12), (0.2990, 0.0009), (37.4, 0.2)),
]

# Bursts on tori, bubble, 3 VCs, an injection queue for each direction: dims, packets of a node, mode, LBR, IPR, cycles.
BURSTS = [
    ((64,), 10, "shortest", 0, 0.0, (1549, 9)),
    ((64,), 10, "shortest", 0, 0.5, (1564, 18)),
    ((64,), 10, "shortest", 0, 1.0, (1562, 20)),
    ((64,), 10, "shortest", 1, 0.0, (1549, 7)),
    ((64,), 10, "shortest", 2, 0.0, (1549, 8)),
    ((64,), 10, "shortest", 2, 1.0, (1562, 20)),
    ((64,), 10, "shortest", 3, 0.0, (1548, 7)),
    ((64,), 10, "smart", 0, 0.0, (1570, 21)),
    ((64,), 10, "smart", 0, 0.5, (1568, 22)),
    ((64,), 10, "smart", 0, 1.0, (1538, 3)),
    ((64,), 10, "smart", 1, 0.0, (1552, 11)),
    ((64,), 10, "smart", 2, 0.0, (1532, 18)),
    ((64,), 10, "smart", 2, 1.0, (1567, 21)),
    ((64,), 10, "smart", 3, 0.0, (1555, 27)),
    ((64,), 100, "shortest", 0, 0.0, (15300, 105)),
    ((64,), 100, "shortest", 0, 0.5, (14670, 42)),
    ((64,), 100, "shortest", 0, 1.0, (13848, 64)),
    ((64,), 100, "shortest", 1, 0.0, (14355, 99)),
    ((64,), 100, "shortest", 2, 0.0, (13786, 59)),
    ((64,), 100, "shortest", 2, 1.0, (13848, 64)),
    ((64,), 100, "shortest", 3, 0.0, (13711, 142)),
    ((64,), 100, "smart", 0, 0.0, (15176, 34)),
    ((64,), 100, "smart", 0, 0.5, (14525, 79)),
    ((64,), 100, "smart", 0, 1.0, (13868, 170)),
    ((64,), 100, "smart", 1, 0.0, (14162, 136)),
    ((64,), 100, "smart", 2, 0.0, (13693, 92)),
    ((64,), 100, "smart", 2, 1.0, (13835, 164)),
    ((64,), 100, "smart", 3, 0.0, (13765, 51)),
    ((64,), 1000, "shortest", 0, 0.0, (155582, 2042)),
    ((64,), 1000, "shortest", 0, 0.5, (146138, 1005)),
    ((64,), 1000, "shortest", 0, 1.0, (134274, 102)),
    ((64,), 1000, "shortest", 1, 0.0, (145883, 1330)),
    ((64,), 1000, "shortest", 2, 0.0, (133672, 189)),
    ((64,), 1000, "shortest", 2, 1.0, (134274, 102)),
    ((64,), 1000, "shortest", 3, 0.0, (132844, 401)),
    ((64,), 1000, "smart", 0, 0.0, (153783, 563)),
    ((64,), 1000, "smart", 0, 0.5, (143270, 421)),
    ((64,), 1000, "smart", 0, 1.0, (133139, 129)),
    ((64,), 1000, "smart", 1, 0.0, (140960, 487)),
    ((64,), 1000, "smart", 2, 0.0, (133434, 666)),
    ((64,), 1000, "smart", 2, 1.0, (133279, 330)),
    ((64,), 1000, "smart", 3, 0.0, (133338, 214)),
    ((8, 8), 10, "shortest", 0, 0.0, (279, 6)),
    ((8, 8), 10, "shortest", 0, 0.5, (285, 6)),
    ((8, 8), 10, "shortest", 0, 1.0, (293, 7)),
    ((8, 8), 10, "shortest", 1, 0.0, (279, 6)),
    ((8, 8), 10, "shortest", 2, 0.0, (279, 5)),
    ((8, 8), 10, "shortest", 2, 1.0, (293, 7)),
    ((8, 8), 10, "shortest", 3, 0.0, (280, 6)),
    ((8, 8), 10, "smart", 0, 0.0, (282, 4)),
    ((8, 8), 10, "smart", 0, 0.5, (283, 6)),
    ((8, 8), 10, "smart", 0, 1.0, (278, 1)),
    ((8, 8), 10, "smart", 1, 0.0, (278, 4)),
    ((8, 8), 10, "smart", 2, 0.0, (276, 4)),
    ((8, 8), 10, "smart", 2, 1.0, (275, 4)),
    ((8, 8), 10, "smart", 3, 0.0, (281, 3)),
    ((8, 8), 100, "shortest", 0, 0.0, (2071, 21)),
    ((8, 8), 100, "shortest", 0, 0.5, (2072, 17)),
    ((8, 8), 100, "shortest", 0, 1.0, (2083, 13)),
    ((8, 8), 100, "shortest", 1, 0.0, (2059, 9)),
    ((8, 8), 100, "shortest", 2, 0.0, (2042, 14)),
    ((8, 8), 100, "shortest", 2, 1.0, (2077, 13)),
    ((8, 8), 100, "shortest", 3, 0.0, (2063, 22)),
    ((8, 8), 100, "smart", 0, 0.0, (1899, 15)),
    ((8, 8), 100, "smart", 0, 0.5, (1905, 8)),
    ((8, 8), 100, "smart", 0, 1.0, (1921, 14)),
    ((8, 8), 100, "smart", 1, 0.0, (1892, 3)),
    ((8, 8), 100, "smart", 2, 0.0, (1901, 16)),
    ((8, 8), 100, "smart", 2, 1.0, (1929, 33)),
    ((8, 8), 100, "smart", 3, 0.0, (1923, 20)),
    ((8, 8), 1000, "shortest", 0, 0.0, (19518, 52)),
    ((8, 8), 1000, "shortest", 0, 1.0, (19288, 88)),
    ((8, 8), 1000, "shortest", 2, 0.0, (19239, 53)),
    ((8, 8), 1000, "smart", 0, 0.0, (17437, 52)),
    ((8, 8), 1000, "smart", 0, 1.0, (17618, 74)),
    ((8, 8), 1000, "smart", 2, 0.0, (17618, 80)),
]

# R6: case, keys of the config, (load, latency there) or None, accepted and latency at offered 1.0, whether INSEE's run
# did not converge.
OTHERS = [
    (
        "tw. 16x8 y>x 8, b smart 3",
        {
            "topology.kind": "twisted-torus", "topology.dims": [16, 8], "topology.twist": [8],
            "router.kind": "bubble", "router.routing": "smart", "router.virtual_channels": 3},
        (0.2, (29.6, 0.1)), (0.6116, 0.0004), (380.0, 1.6), False),
    (
        "tw. 16x8 y>x 8, d improved 2",
        {
            "topology.kind": "twisted-torus", "topology.dims": [16, 8], "topology.twist": [8], "router.kind": "dally",
            "router.routing": "improved", "router.virtual_channels": 2},
        (0.2, (31.8, 0.4)), (0.5526, 0.013), (489.0, 16.0), False),
    (
        "tw. 8x8 y>x 4, b obl. 1",
        {
            "topology.kind": "twisted-torus", "topology.dims": [8, 8], "topology.twist": [4], "router.kind": "bubble",
            "router.routing": "oblivious", "router.virtual_channels": 1},
        (0.2, (26.2, 0.2)), (0.546, 0.0066), (415.0, 5.4), False),
    (
        "tw. 8x4x4 y>x 4 z>x 4, b short. 3",
        {
            "topology.kind": "twisted-torus", "topology.dims": [8, 4, 4], "topology.twist": [1, 0, 4, 2, 0, 4],
            "router.kind": "bubble", "router.routing": "shortest", "router.virtual_channels": 3},
        (0.4, (30.0, 0.2)), (0.8589, 0.0003), (195.0, 1.3), False),
    (
        "circ. 128 (1,15), b smart 3",
        {
            "topology.kind": "circulant", "topology.nodes": 128, "topology.steps": [1, 15], "router.kind": "bubble",
            "router.routing": "smart", "router.virtual_channels": 3},
        (0.2, (29.7, 0.2)), (0.6134, 0.001), (378.0, 1.2), False),
    (
        "circ. 128 (1,15), b obl. 1",
        {
            "topology.kind": "circulant", "topology.nodes": 128, "topology.steps": [1, 15], "router.kind": "bubble",
            "router.routing": "oblivious", "router.virtual_channels": 1},
        (0.2, (32.3, 0.0)), (0.4355, 0.0028), (541.0, 1.6), False),
    (
        "circ. 512 (1,31), b random 3",
        {
            "topology.kind": "circulant", "topology.nodes": 512, "topology.steps": [1, 31], "router.kind": "bubble",
            "router.routing": "random", "router.virtual_channels": 3},
        (0.2, (73.6, 0.3)), (0.3578, 0.0006), (1756.0, 3.2), False),
    (
        "circ. pk a=8 k=3 (fixed), b smart 3",
        {
            "topology.kind": "circulant", "topology.nodes": 128, "topology.steps": [1, 47], "router.kind": "bubble",
            "router.routing": "smart", "router.virtual_channels": 3},
        (0.2, (29.8, 0.2)), (0.6141, 0.0012), (378.0, 1.3), False),
    (
        "midimew 128 (fixed), b smart 3",
        {
            "topology.kind": "midimew", "topology.nodes": 128, "router.kind": "bubble", "router.routing": "smart",
            "router.virtual_channels": 3},
        (0.2, (29.8, 0.2)), (0.6118, 0.0025), (377.0, 2.1), False),
    (
        "midimew 300 (fixed), b short. 3",
        {
            "topology.kind": "midimew", "topology.nodes": 300, "router.kind": "bubble", "router.routing": "shortest",
            "router.virtual_channels": 3},
        (0.2, (44.5, 0.2)), (0.4189, 0.0024), (945.0, 13.0), False),
    (
        "spinnaker 8x8, b smart 3",
        {
            "topology.kind": "spinnaker", "topology.dims": [8, 8], "router.kind": "bubble", "router.routing": "smart",
            "router.virtual_channels": 3},
        (0.4, (28.0, 0.1)), (0.8628, 0.0018), (193.0, 1.1), False),
    (
        "spinnaker 16x16, b obl. 1",
        {
            "topology.kind": "spinnaker", "topology.dims": [16, 16], "router.kind": "bubble",
            "router.routing": "oblivious", "router.virtual_channels": 1},
        (0.2, (30.8, 0.1)), (0.5277, 0.0098), (446.0, 8.7), False),
    (
        "icube c4 m1 4x4, static 1",
        {
            "topology.kind": "indirect-cube", "topology.dims": [4, 4], "topology.nodes_per_switch": 4,
            "topology.parallel_links": 1, "router.kind": "indirect-cube", "router.routing": "static",
            "router.virtual_channels": 1},
        (0.2, (40.0, 1.0)), (0.2962, 0.0037), (909.0, 9.1), False),
    (
        "icube c4 m2 4x4, adaptive 3",
        {
            "topology.kind": "indirect-cube", "topology.dims": [4, 4], "topology.nodes_per_switch": 4,
            "topology.parallel_links": 2, "router.kind": "indirect-cube", "router.routing": "adaptive",
            "router.virtual_channels": 3},
        (0.2, (25.5, 0.2)), (0.7627, 0.0054), (549.0, 15.0), False),
    (
        "icube c2 m1 4x4x4, adaptive 3",
        {
            "topology.kind": "indirect-cube", "topology.dims": [4, 4, 4], "topology.nodes_per_switch": 2,
            "topology.parallel_links": 1, "router.kind": "indirect-cube", "router.routing": "adaptive",
            "router.virtual_channels": 3},
        (0.2, (27.9, 0.3)), (0.8214, 0.0017), (605.0, 6.6), False),
    (
        "icube c4 m4 4x4, 4mesh 1",
        {
            "topology.kind": "indirect-cube", "topology.dims": [4, 4], "topology.nodes_per_switch": 4,
            "topology.parallel_links": 4, "router.kind": "indirect-cube", "router.routing": "4mesh",
            "router.virtual_channels": 1},
        (0.2, (25.9, 0.3)), (0.5376, 0.004), (515.0, 5.2), False),
    (
        "icube c4 m4 4x4, 1mesh 1",
        {
            "topology.kind": "indirect-cube", "topology.dims": [4, 4], "topology.nodes_per_switch": 4,
            "topology.parallel_links": 4, "router.kind": "indirect-cube", "router.routing": "1mesh",
            "router.virtual_channels": 1},
        (0.2, (26.1, 0.3)), (0.5854, 0.005), (537.0, 4.5), False),
    (
        "dragonfly rel 2,4,2, minimal 2",
        {
            "topology.kind": "dragonfly", "topology.nodes_per_router": 2, "topology.routers_per_group": 4,
            "topology.global_links": 2, "topology.arrangement": "relative", "router.kind": "dragonfly",
            "router.routing": "minimal", "router.virtual_channels": 2},
        (0.2, (27.6, 0.3)), (0.6125, 0.0059), (465.0, 4.3), False),
    (
        "dragonfly rel 2,4,2, valiant 3",
        {
            "topology.kind": "dragonfly", "topology.nodes_per_router": 2, "topology.routers_per_group": 4,
            "topology.global_links": 2, "topology.arrangement": "relative", "router.kind": "dragonfly",
            "router.routing": "valiant", "router.virtual_channels": 3},
        (0.2, (35.4, 0.1)), (0.4816, 0.0049), (640.0, 3.3), False),
    (
        "dragonfly rel 2,4,2 adv, minimal 2",
        {
            "topology.kind": "dragonfly", "topology.nodes_per_router": 2, "topology.routers_per_group": 4,
            "topology.global_links": 2, "topology.arrangement": "relative", "workload.pattern": "next-group",
            "router.kind": "dragonfly", "router.routing": "minimal", "router.virtual_channels": 2},
        None, (0.1203, 0.0002), (2351.0, 6.6), False),
    (
        "dragonfly rel 2,4,2 adv, valiant 3",
        {
            "topology.kind": "dragonfly", "topology.nodes_per_router": 2, "topology.routers_per_group": 4,
            "topology.global_links": 2, "topology.arrangement": "relative", "workload.pattern": "next-group",
            "router.kind": "dragonfly", "router.routing": "valiant", "router.virtual_channels": 3},
        None, (0.4479, 0.0054), (661.0, 4.8), False),
    (
        "dragonfly abs 4,4,2, minimal 2",
        {
            "topology.kind": "dragonfly", "topology.nodes_per_router": 4, "topology.routers_per_group": 4,
            "topology.global_links": 2, "topology.arrangement": "absolute", "router.kind": "dragonfly",
            "router.routing": "minimal", "router.virtual_channels": 2},
        (0.2, (37.4, 0.8)), (0.3337, 0.0014), (843.0, 4.6), False),
    (
        "16x16 no control, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.kind": "bubble", "router.routing": "smart",
            "router.virtual_channels": 3},
        None, (0.4685, 0.0005), (637.0, 0.3), False),
    (
        "16x16 IPR 0.5, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.ipr_fraction": 0.5, "router.kind": "bubble",
            "router.routing": "smart", "router.virtual_channels": 3},
        None, (0.4669, 0.0004), (634.0, 1.0), False),
    (
        "16x16 LBR 2, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.lbr_packets": 2, "router.kind": "bubble",
            "router.routing": "smart", "router.virtual_channels": 3},
        None, (0.4676, 0.0004), (638.0, 0.2), False),
    (
        "16x16 GCC 491 packets, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "congestion.kind": "gcc",
            "congestion.gcc_packets": 491, "router.kind": "bubble", "router.routing": "smart",
            "router.virtual_channels": 3},
        None, (0.3677, 0.0012), (107.0, 0.4), False),
    (
        "ring 64 no control, b short. 3",
        {
            "topology.kind": "torus", "topology.dims": [64], "router.kind": "bubble", "router.routing": "shortest",
            "router.virtual_channels": 3},
        (0.05, (46.5, 1.5)), (0.1138, 0.0026), (4108.0, 110.0), False),
    (
        "ring 64 LBR 2, b short. 3",
        {
            "topology.kind": "torus", "topology.dims": [64], "router.lbr_packets": 2, "router.kind": "bubble",
            "router.routing": "shortest", "router.virtual_channels": 3},
        None, (0.1215, 0.001), (3352.0, 57.0), True),
    (
        "ring 64 IPR 0.5, b short. 3",
        {
            "topology.kind": "torus", "topology.dims": [64], "router.ipr_fraction": 0.5, "router.kind": "bubble",
            "router.routing": "shortest", "router.virtual_channels": 3},
        None, (0.118, 0.0013), (3901.0, 57.0), True),
    (
        "ring 64 GCC 307 packets, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [64], "congestion.kind": "gcc", "congestion.gcc_packets": 307,
            "router.kind": "bubble", "router.routing": "smart", "router.virtual_channels": 3},
        None, (0.117, 0.0023), (732.0, 15.0), True),
    (
        "torus 32x8 LBR 2, b short. 3",
        {
            "topology.kind": "torus", "topology.dims": [32, 8], "router.lbr_packets": 2, "router.kind": "bubble",
            "router.routing": "shortest", "router.virtual_channels": 3},
        None, (0.2202, 0.0006), (2423.0, 38.0), False),
    (
        "16x16 4 inj shortest, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.injection_queues": 4,
            "router.kind": "bubble", "router.routing": "smart", "router.virtual_channels": 3},
        (0.3, (60.7, 1.1)), (0.3609, 0.0092), (3478.0, 42.0), False),
    (
        "16x16 4 inj shp, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.injection_queues": 4,
            "router.injection": "shortest-profitable", "router.kind": "bubble", "router.routing": "smart",
            "router.virtual_channels": 3},
        (0.3, (61.3, 0.7)), (0.3721, 0.0007), (3467.0, 17.0), False),
    (
        "16x16 4 inj lpath, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.injection_queues": 4,
            "router.injection": "longest-path", "router.kind": "bubble", "router.routing": "smart",
            "router.virtual_channels": 3},
        (0.3, (62.2, 1.2)), (0.3846, 0.001), (2513.0, 12.0), False),
    (
        "16x16 4 inj dor (fixed), b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.injection_queues": 4,
            "router.injection": "dor", "router.kind": "bubble", "router.routing": "smart",
            "router.virtual_channels": 3},
        (0.3, (63.3, 0.8)), (0.4404, 0.0016), (1899.0, 20.0), False),
    (
        "16x16 fifo, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.arbitration": "fifo",
            "router.kind": "bubble", "router.routing": "smart", "router.virtual_channels": 3},
        (0.3, (67.4, 0.9)), (0.4678, 0.0005), (637.0, 5.0), False),
    (
        "16x16 longest, b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.arbitration": "longest",
            "router.kind": "bubble", "router.routing": "smart", "router.virtual_channels": 3},
        (0.3, (67.8, 0.5)), (0.4691, 0.0007), (647.0, 1.1), False),
    (
        "8x8x8 age, d improved 2",
        {
            "topology.kind": "torus", "topology.dims": [8, 8, 8], "router.arbitration": "age", "router.kind": "dally",
            "router.routing": "improved", "router.virtual_channels": 2},
        None, (0.6545, 0.0008), (394.0, 0.6), False),
    (
        "8x8x8 random, d improved 2",
        {
            "topology.kind": "torus", "topology.dims": [8, 8, 8], "router.arbitration": "random",
            "router.kind": "dally", "router.routing": "improved", "router.virtual_channels": 2},
        None, (0.6514, 0.001), (405.0, 1.3), False),
    (
        "16x16 single cons., b smart 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.consumption": "single",
            "router.kind": "bubble", "router.routing": "smart", "router.virtual_channels": 3},
        (0.3, (70.4, 0.6)), (0.4679, 0.0011), (653.0, 3.4), False),
    (
        "mesh 16x16, b obl. 1",
        {
            "topology.kind": "mesh", "topology.dims": [16, 16], "router.kind": "bubble",
            "router.routing": "oblivious", "router.virtual_channels": 1},
        (0.1, (40.6, 0.6)), (0.1917, 0.0007), (1263.0, 8.3), False),
    (
        "mesh 16x16, d trc 2",
        {
            "topology.kind": "mesh", "topology.dims": [16, 16], "router.kind": "dally", "router.routing": "trc",
            "router.virtual_channels": 2},
        (0.1, (40.7, 0.5)), (0.2034, 0.0028), (1241.0, 46.0), False),
    (
        "mesh 8x8x8, b short. 3",
        {
            "topology.kind": "mesh", "topology.dims": [8, 8, 8], "router.kind": "bubble",
            "router.routing": "shortest", "router.virtual_channels": 3},
        (0.2, (38.9, 0.0)), (0.4508, 0.0006), (884.0, 2.5), False),
    (
        "torus 12x12, d improved 2",
        {
            "topology.kind": "torus", "topology.dims": [12, 12], "router.kind": "dally", "router.routing": "improved",
            "router.virtual_channels": 2},
        (0.2, (35.2, 0.2)), (0.4864, 0.0009), (580.0, 7.3), False),
    (
        "torus 8x8x4, d basic 2",
        {
            "topology.kind": "torus", "topology.dims": [8, 8, 4], "router.kind": "dally", "router.routing": "basic",
            "router.virtual_channels": 2},
        (0.3, (36.1, 0.3)), (0.5744, 0.0059), (449.0, 4.2), False),
    (
        "unidir. 8x8, b obl. 1",
        {
            "topology.kind": "torus", "topology.dims": [8, 8], "topology.unidirectional": True,
            "router.kind": "bubble", "router.routing": "oblivious", "router.virtual_channels": 1},
        (0.1, (39.8, 1.0)), (0.1874, 0.0037), (1283.0, 22.0), False),
    (
        "unidir. 16x16, b short. 3",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "topology.unidirectional": True,
            "router.kind": "bubble", "router.routing": "shortest", "router.virtual_channels": 3},
        (0.05, (48.4, 1.0)), (0.1026, 0.0002), (4776.0, 40.0), False),
    (
        "unidir. 8x8, d trc 2",
        {
            "topology.kind": "torus", "topology.dims": [8, 8], "topology.unidirectional": True,
            "router.kind": "dally", "router.routing": "trc", "router.virtual_channels": 2},
        (0.1, (39.3, 0.6)), (0.1663, 0.0005), (1565.0, 40.0), False),
    (
        "16x16, dbl doubleob 2",
        {
            "topology.kind": "torus", "topology.dims": [16, 16], "router.kind": "bubble", "router.routing": "double",
            "router.virtual_channels": 2},
        (0.3, (79.1, 2.1)), (0.4102, 0.0021), (774.0, 5.0), False),
    (
        "torus 4x4x8, dbl hexaob 6",
        {
            "topology.kind": "torus", "topology.dims": [4, 4, 8], "router.kind": "bubble", "router.routing": "hexa",
            "router.virtual_channels": 6},
        None, (0.743, 0.0017), (272.0, 0.4), False)]
