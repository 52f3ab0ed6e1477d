"""Results of several seeds, merged by hand: the rules of docs/workloads.md, written down a second time for the JSON
summary. Every figure must have one."""

import math
import re
import statistics

from cases import Case

#: Rows of these tables belong together by their key; others by their place.
KEYS = {"jobs": ("name",), "traffic_classes": ("traffic_class",), "distances": ("links",), "occupancy": ("packets",),
        "busiest_links": ("link",), "flows": ("least_bytes", "most_bytes")}  # fmt: skip

FIRST, SUM, MEAN, SHARE, LEAST, MOST, NOT_HERE = "first", "sum", "mean", "share", "least", "most", "not here"

#: The first pattern that fits the whole path of a figure.
RULES = [
    (r"(digest|started_at|seeds|over_seeds|config\.measure\.seeds|config\.simulation\.seed)(\..*|\[.*)?", NOT_HERE),
    (r"(warnings\[.*|saturated|latency\.mean_ci95|load\.accepted_(ci95|stddev|max)|load\.injected_(stddev|max)|steady_state\..*autocorrelation)",
     NOT_HERE),
    # times and memory
    (r"engine\..*(_s|_per_s)(\[\d+\])?|engine\.(bytes_per_node|rss_bytes.*|checkpoint.*)", NOT_HERE),
    (r"(.*\.)?activities\[.*\]\.share|(.*\.)?(exposed_communication|hidden_communication|pipeline_bubble)", NOT_HERE),
    (r"statistics\.(pairs|events\.path)", NOT_HERE),
    (r"weft|config\..*|seed|ranks|nodes|routers|resumed_from_cycle|stop_reason|topology|router|workload|host", FIRST),
    (r"deadlock_search|fabric_verdict", FIRST),
    (r"flows\[0\]\.most_bytes", MOST), (r"flows\[0\]\.least_bytes", LEAST),
    (r"cycle_ns|measured|.*\.unit|figures_of_cycles\[.*|steady_state(\..*)?|batches\[.*", FIRST),
    (r"statistics\.series\[.*|plugins.*", FIRST),
    (r"engine\.(protocol|partition|lookahead_cycles|edge_cut|balance|covers_from_cycle)", FIRST),
    (r".*\]\.(name|tasks|background|communicates|outside|traffic_class|least_bytes|most_bytes|link|links)", FIRST),
    (r"statistics\.occupancy\[.*\]\.packets|tasks\.count|exchange\.tasks", FIRST),
    (r"routes\.last_change_cycle", MOST),
    (r"packets\..*|messages\..*|hops|routes\..*|congestion\..*|engine\.[a-z_]+|engine\.rank_events\[.*", SUM),
    (r"traffic_classes\[.*_packets|flows\[.*\]\.(flows|bytes)|statistics\.events\.lines", SUM),
    (r"jobs\[.*\]\.(repetitions|packets\..*|messages|messages_sent|bytes|latency\.count)", SUM),
    (r"(.*\.)?activities\[.*\]\.(messages|bytes)", SUM),
    (r"statistics\.distances\[.*\]\.injected_packets|injection_latency\.packets", SUM),
    (r"router_utilisation\..*", MEAN),
    (r"injection_latency\.max", MOST), (r"injection_latency\..*|distance\.stddev", MEAN),
    (r"statistics\.(distances|busiest_links)\[.*\]\.packets|statistics\.occupancy\[.*_queues", SUM),
    (r"statistics\.busiest_links\[.*\]\.utilisation|(.*\.)?activities\[.*\]\.((side_|bubble_|hidden_)?(cycles|ns))",
     SHARE),
    (r"cycles|latency\.max|distance\.max|tasks\.finish_.*_max|exchange\..*\.max|jobs\[.*\]\.latency\.max", MOST),
    (r"flows\[.*\]\.(fct|slowdown)\.max", MOST),
    (r"tasks\.(finished|finish_.*_min)|exchange\..*\.min|converged", LEAST),
    (r"load\..*|latency\..*|distance\.mean|tasks\.finish_.*_mean|exchange\..*|bandwidth\..*", MEAN),
    (r"traffic_classes\[.*|jobs\[.*|flows\[.*|task_finish_cycles\[.*|burst_cycles\[.*", MEAN),
]  # fmt: skip


def figures(value, path=""):
    """(path, value) of all figures of a summary."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from figures(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        table = path.rsplit(".", 1)[-1]
        for place, row in enumerate(value):
            key = place
            if table in KEYS and not (table == "flows" and place == 0):
                key = "-".join(str(row[name]) for name in KEYS[table])
            yield from figures(row, f"{path}[{key}]")
    else:
        yield path, value


def rule_of(path):
    return next((rule for pattern, rule in RULES if re.fullmatch(pattern, path)), None)


def by_hand(rule, values, runs):
    """Of the runs that have the figure."""
    values = [value for value in values if value is not None]
    if not values:
        return None
    return {FIRST: lambda: values[0], SUM: lambda: sum(values), MEAN: lambda: statistics.fmean(values),
            SHARE: lambda: sum(values) / runs, LEAST: lambda: min(values), MOST: lambda: max(values)}[rule]()


def same(found, expected):
    if isinstance(expected, (int, float)) and not isinstance(expected, bool) and isinstance(found, (int, float)):
        return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    return found == expected


def problems(merged, runs):
    """What of the summary of several seeds is not what their own summaries make."""
    single = [dict(figures(run)) for run in runs]
    found = dict(figures(merged))
    whole_lists = all(len(run.get("statistics", {}).get("busiest_links", [])) < 20 for run in runs)
    wrong = []
    for path, value in found.items():
        rule = rule_of(path)
        if path == "figures_of_cycles[1]" and not merged["measured"]:
            rule = MOST  # those of the whole run
        if rule is None:
            wrong.append(f"{path} has no rule")
        elif rule != NOT_HERE and (whole_lists or "busiest_links" not in path):
            expected = by_hand(rule, [run[path] for run in single if path in run], len(runs))
            if not same(value, expected):
                wrong.append(f"{path} ({rule}): {value}, by hand {expected} of {[run.get(path) for run in single]}")
    for run in single:
        missing = [path for path in run if path not in found and rule_of(path) not in (NOT_HERE, FIRST)
                   and "busiest_links" not in path]
        wrong += [f"{path} is missing" for path in missing]
    for key, column in (("accepted_load", "load_accepted"), ("latency_mean", "latency_mean"), ("cycles", "cycles")):
        values = [row[column] for row in merged["seeds"]]
        spread = merged["over_seeds"][key]
        if not same(spread["mean"], statistics.fmean(values)) or not same(spread["stddev"], statistics.stdev(values)):
            wrong.append(f"over_seeds.{key}: {spread} of {values}")
    for row, run in zip(merged["seeds"], runs, strict=True):
        if (row["digest"], row["cycles"], row["latency_p99"]) != (run["digest"], run["cycles"], run["latency"]["p99"]):
            wrong.append(f"row of seed {row['seed']}: {row}")
    for of in [merged, *merged.get("jobs", [])]:
        rows = of.get("activities", [])
        total = sum(row["cycles"] for row in rows)
        wrong += [f"share of {row['name']}: {row['share']}" for row in rows if total
                  and not same(row["share"], row["cycles"] / total)]
        if total:
            parts = {"exposed_communication": sum(row["cycles"] - row["bubble_cycles"] for row in rows
                                                  if row["communicates"]),
                     "hidden_communication": sum(row["hidden_cycles"] for row in rows),
                     "pipeline_bubble": sum(row["bubble_cycles"] for row in rows)}  # fmt: skip
            wrong += [f"{name}: {of[name]}, by hand {part / total}" for name, part in parts.items()
                      if not same(of[name], part / total)]
    return wrong


class MergedSeeds(Case):
    def check(self, config, *words, seeds=(5, 6, 7), seconds=120):
        """The summary of a run of several seeds, and those of the runs of one each, of which it must be made."""
        runs = [self.run_json(config, *words, "--seed", seed, seconds=seconds) for seed in seeds]
        merged = self.run_json(config, *words, "--seed", seeds[0], seconds=seconds, measure__seeds=len(seeds))
        self.assertEqual(problems(merged, runs), [])
        return merged, runs
