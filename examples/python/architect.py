"""Which network for about 1,056 nodes? Four of them under uniform and worst-case traffic: latency over load as eight
curves with 95 % bands in one PDF, tables of what each is made of and where it saturates; the CPU time is said before it
is spent.
    PYTHONPATH=tools/python /usr/bin/python3 examples/python/architect.py results/architect      (eight CPU minutes)
    PYTHONPATH=tools/python /usr/bin/python3 examples/python/architect.py --quick results/architect-quick"""
import sys, weft
p, a, h, x, q, k, seeds = (2, 4, 2, 4, 3, 4, 2) if "--quick" in sys.argv else (4, 8, 4, 12, 9, 10, 3)
base = {"simulation.tick_ps": 500, "packet.phits": 4, "link.rate_gbps": 32.0, "router": dict(
    kind="switch", routing="ugal-g", virtual_channels=4, buffer_cells=64, speedup=2, output_buffer_cells=16,
    iterations=2), "measure": dict(warmup_cycles=500, interval_cycles=250, batches=4, batch_cycles=250)}
networks = {"Dragonfly": {"topology": dict(kind="dragonfly", nodes_per_router=p, routers_per_group=a, global_links=h)},
    "HyperX": {"topology": dict(kind="hyperx", dims=[x - 1, x], nodes_per_router=2 * p), "router.routing": "dal"},
    "Slim Fly": {"topology": dict(kind="slim-fly", q=q, nodes_per_router=2 * p - 1)},
    "Fat tree": {"topology": dict(kind="tree", arity=k, levels=3), "router.routing": "adaptive-up"}}
axes = {"network": networks, "workload.pattern": ["uniform", "worst-case"]}
study = weft.Study(base, axes | {"workload.offered_load": [n / 10 for n in range(1, 9)]}, seeds=seeds, out=sys.argv[-1])
print(study.estimate())
weft.plot.load_latency(study.run(), width="double").save(f"{sys.argv[-1]}/latency.pdf")
print(study.networks(cost="examples/costs/machine-room.toml").to_string())
print(study.saturation(precision=0.2 if "--quick" in sys.argv else 0.02).round(3).to_string())
