"""Networks without a simulation: counts, distances, and the graph."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from . import _config, _program
from ._errors import needs
from ._hdf5 import _pandas
from ._signals import ended_in_order

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


class Topology:
    """A network. `facts`: nodes, routers, router_links, node_links, ports, diameter and mean_distance (links),
    uniform_load_bound (phits/node/cycle)... as `weft topology --json` says them."""

    def __init__(self, facts: dict[str, Any], graph: dict[str, Any]) -> None:
        self.facts = facts
        self._graph = graph

    def edges(self) -> pd.DataFrame:
        """The edge list: a row for each link (each way of it where links are one-way), `source` and `target` ("r3" a
        router, "n7" a node), their ports (-1: a node has none), and `kind`: "router" or "node"."""
        links = self._graph["links"]
        frame = _pandas().DataFrame({
            "source": [link["source"] for link in links], "target": [link["target"] for link in links],
            "source_port": [link.get("source_port", -1) for link in links],
            "target_port": [link.get("target_port", -1) for link in links],
            "kind": ["node" if "n" in (link["source"][0], link["target"][0]) else "router" for link in links]})
        if any("speed" in link for link in links):
            frame["speed"] = [link.get("speed", "") for link in links]
        frame.attrs["name"] = self.facts["name"]
        return frame

    def graph(self) -> nx.MultiGraph:
        """The graph for networkx: vertices "r0"... (routers) and, where nodes have links of their own, "n0"... with
        their `kind`; edges with `source_port` and `target_port`. A MultiDiGraph where links are one-way."""
        try:
            import networkx
        except ImportError:
            raise needs("networkx", "python3-networkx", "a graph") from None
        graph = networkx.MultiDiGraph() if self._graph["directed"] else networkx.MultiGraph()
        graph.graph.update(self._graph["graph"])
        for vertex in self._graph["nodes"]:
            graph.add_node(vertex["id"], kind=vertex["kind"])
        for link in self._graph["links"]:
            data = {key: value for key, value in link.items() if key not in ("source", "target", "key")}
            graph.add_edge(link["source"], link["target"], key=link["key"], **data)
        return graph

    def __getitem__(self, name: str) -> Any:
        return self.facts[name]

    def __repr__(self) -> str:
        f = self.facts
        return f"<weft.Topology {f['name']}: {f['nodes']:,} nodes, {f['routers']:,} routers, diameter {f['diameter']}>"


#: Columns of a table of networks -> path of the fact, unit.
FACTS = {
    "nodes": ("nodes", ""), "routers": ("routers", ""), "ports": ("ports.total", "ports"),
    "most_ports": ("ports.max", "ports"), "router_links": ("router_links", "links"),
    "node_links": ("node_links", "links"), "diameter": ("diameter", "links"),
    "mean_distance": ("mean_distance", "links"), "uniform_load_bound": ("uniform_load_bound", "phits/node/cycle")}


#: Further columns where there is a table of prices; their unit "currency" is that of the table.
COST = {"price": ("cost.price", "currency"), "price_per_node": ("cost.price_per_node", "currency"),
        "watts": ("cost.watts", "W"), "racks": ("cost.racks", ""), "cable_m": ("cost.cable_m", "m")}


def facts_of(config: dict[str, Any], cost: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """What `weft topology --json` says of a config, with `cost` by this table of prices. Throws Error."""
    with ended_in_order(), tempfile.TemporaryDirectory(prefix="weft-topology-") as folder:
        file = _config.as_file(config, folder)
        words = [] if cost is None else ["--cost", os.fspath(cost)]
        found: dict[str, Any] = json.loads(_program.call(["topology", file.path, "--json", "-", *words], file.hidden))
        return found


def row_of(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts that a table of networks has."""
    row = {}
    for column, (path, _) in {**FACTS, **(COST if "cost" in facts else {})}.items():
        value: Any = facts
        for part in path.split("."):
            value = value[part]
        row[column] = value
    return row


def topology(config: _config.ConfigLike, set: _config.Settings = None) -> Topology:  # noqa: A002
    """The network of a config (path, TOML as text, or dict), with settings that win over it. Throws weft.Error, also
    for networks of more than ten million links."""
    with ended_in_order(), tempfile.TemporaryDirectory(prefix="weft-topology-") as folder:
        file = _config.as_file(config, folder)
        graph = os.path.join(folder, "graph.json")
        facts = _program.call(
            ["topology", file.path, *_config.set_words(set), "--json", "-", "--export", graph], file.hidden)
        with open(graph, encoding="utf-8") as text:
            return Topology(json.loads(facts), json.load(text))
