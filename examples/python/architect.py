"""Which network for about 1,056 nodes? Four of them under uniform and worst-case traffic: latency over load as eight
curves with 95 % bands in one PDF, tables of what each is made of and where it saturates; the CPU time is said before it
is spent.
    PYTHONPATH=tools/python /usr/bin/python3 examples/python/architect.py results/architect      (eight CPU minutes)
    PYTHONPATH=tools/python /usr/bin/python3 examples/python/architect.py --quick results/architect-quick"""
import sys, weft
p, a, h, x, q, k = (2, 4, 2, 4, 3, 4) if "--quick" in sys.argv else (4, 8, 4, 12, 9, 10)
base = {
    "simulation.tick_ps": 500, "packet.phits": 4,
    "measure": dict(warmup_cycles=500, interval_cycles=250, batches=4, batch_cycles=250), "link.rate_gbps": 32.0,
    "router": dict(kind="switch", virtual_channels=4, buffer_cells=64, speedup=2, output_buffer_cells=16, iterations=2)}
networks = {
    "Dragonfly": {
        "topology": dict(kind="dragonfly", nodes_per_router=p, routers_per_group=a, global_links=h),
        "router.routing": "ugal-g"},
    "HyperX": {"topology": dict(kind="hyperx", dims=[x - 1, x], nodes_per_router=2 * p), "router.routing": "dal"},
    "Slim Fly": {"topology": dict(kind="slim-fly", q=q, nodes_per_router=2 * p - 1), "router.routing": "ugal-g"},
    "Fat tree": {"topology": dict(kind="tree", arity=k, levels=3), "router.routing": "adaptive-up"}}
axes = {
    "network": networks, "workload.pattern": ["uniform", "worst-case"],
    "workload.offered_load": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}
study = weft.Study(base, axes, seeds=2 if "--quick" in sys.argv else 3, out=sys.argv[-1])
print(study.estimate())
weft.plot.load_latency(study.run(), width="double").save(f"{sys.argv[-1]}/latency.pdf")
print(study.networks(cost="examples/costs/machine-room.toml").to_string())
print(study.saturation(precision=0.2 if "--quick" in sys.argv else 0.02).round(3).to_string())
