"""What weft can be asked for, as `weft describe --json` says: settings, and every registered kind by name."""

import json
import subprocess

# A kind of workload, and a table, of what runs outside of weft: tests/cosim.
OUTSIDE = "cosim"
# Formats that only a library writes: their tests convert traces into them.
WRITTEN_BY_LIBRARIES = {"otf2", "weft", "weft-calls"}
REGISTRIES = ["topologies", "routers", "workloads", "patterns", "schedulers", "congestion", "lengths", "arrivals",
              "placements", "kernels", "collectives", "accelerators", "exchanges", "formats", "engines",
              "dispersions"]  # fmt: skip


class Catalogue:
    def __init__(self, text):
        self.described = json.loads(text)
        self.settings = {row["key"]: row for row in self.described["settings"] if row["table"] != OUTSIDE}
        for registry in REGISTRIES:
            setattr(self, registry, {row["name"]: row for row in self.described[registry]})
        del self.workloads[OUTSIDE]
        self.settings["workload.kind"]["choices"].remove(OUTSIDE)

    @staticmethod
    def of(program):
        return Catalogue(subprocess.run([program, "describe", "--json", "-"], capture_output=True, text=True,
                                        check=True).stdout)

    def keys(self, table):
        return [key for key, row in self.settings.items() if row["table"] == table]

    def routers_for(self, topology):
        return [name for name, row in self.routers.items() if topology in row["topologies"]]

    def record_formats(self):
        """Trace formats of records; those of graphs are read, not run, and what the tracer writes is drawn by no
        program (tests/ranks)."""
        return [name for name, row in self.formats.items() if not row["graphs"] and name not in WRITTEN_BY_LIBRARIES]

    def networks(self):
        """All pairs of a topology and a router that fits it."""
        return [(topology, router) for topology in self.topologies for router in self.routers_for(topology)]

    def routings_for(self, topology):
        """Routers whose routes those that have none of their own can take: the plain ones."""
        return [name for name in self.routers_for(topology) if not self.takes_routes(name)]

    def schedulers_for(self, router):
        fits = {router, self.routers[router]["machine"]}
        return [name for name, row in self.schedulers.items() if fits & set(row["fits"])]

    def takes_routes(self, router):
        return self.routers[router]["takes_routes"]

    def effective(self, keys, key):
        """The value of a key in a config: as given, the router's default, or everybody's."""
        if key in keys:
            return keys[key]
        topology = keys.get("topology.kind")
        defaults = self.routers[self.router(keys)]["defaults"].get(topology, {})
        if key in defaults:
            return defaults[key]
        of_workload = self.workloads.get(keys.get("workload.kind", "synthetic"), {}).get("defaults", {})
        if key in of_workload:
            return of_workload[key]
        return self.settings[key]["default"]

    def router(self, keys):
        kind = keys.get("router.kind", "auto")
        return self.topologies[keys["topology.kind"]]["router"] if kind == "auto" else kind
