// Units that are switched in place, and numbers as people read them.
(function () {
  "use strict";
  const weft = window.weft;
  const chosen = { time: "cycles", data: "phits" };

  const clocks = () => (weft.spec && weft.spec.clocks && weft.spec.clocks.length ? weft.spec.clocks : [{}]);
  const timed = () => clocks().every((clock) => clock.cycle_ns > 0);
  const sized = () => clocks().every((clock) => clock.phit_bytes > 0);

  /// What a value of a quantity is multiplied with, from cycles, phits and bytes.
  function factor(quantity, clock) {
    const ns = chosen.time === "ns" ? clock.cycle_ns : 1;
    const bytes = chosen.data === "bytes" ? clock.phit_bytes : 1;
    switch (quantity) {
      case "time": return ns;
      case "data": return bytes;
      case "load": return bytes / ns;
      case "bandwidth": return (chosen.data === "bytes" ? 1 : 1 / clock.phit_bytes) / ns;
      case "share": return 100;
      default: return 1;
    }
  }

  function label(quantity) {
    const time = chosen.time === "ns" ? "ns" : "cycle";
    switch (quantity) {
      case "time": return chosen.time;
      case "data": return chosen.data;
      case "load": return chosen.time === "ns" && chosen.data === "bytes" ? "GB/s per node" : `${chosen.data}/node/${time}`;
      case "bandwidth": return chosen.time === "ns" && chosen.data === "bytes" ? "GB/s" : `${chosen.data}/${time}`;
      case "share": return "%";
      case "seconds": return "s";
      case "bytes": return "bytes";
      default: return "";
    }
  }

  /// The units of one of the page's clocks: lengths of a cycle and of a phit.
  weft.unitsOf = (ix) => ({
    get time() { return chosen.time; },
    get data() { return chosen.data; },
    convert: (value, quantity, clock = ix) =>
      value === null || value === undefined ? value : Number(value) * factor(quantity, clocks()[clock] || clocks()[0]),
    label,
  });

  function set(which, unit) {
    chosen[which] = unit;
    for (const button of document.querySelectorAll("[data-unit]")) {
      button.setAttribute("aria-pressed", String(chosen[button.dataset.which] === button.dataset.unit));
    }
    weft.changed();
  }

  function group(which, names) {
    return weft.make("div", { class: "switch", role: "group", "aria-label": "Unit of " + which }, ...names.map((name) =>
      weft.make("button", { type: "button", "data-which": which, "data-unit": name, title: `Show ${which} in ${name} (key U)`,
        "aria-pressed": String(chosen[which] === name), onclick: () => set(which, name) }, name)));
  }

  /// A cycle that has a length everywhere is shown by it.
  weft.unitButtons = () => {
    if (timed()) chosen.time = "ns";
    if (timed() && sized()) chosen.data = "bytes";
    return [timed() ? group("time", ["cycles", "ns"]) : null, sized() ? group("data", ["phits", "bytes"]) : null]
      .filter((element) => element);
  };

  /// From one pair of units to the next.
  weft.nextUnits = () => {
    if (timed() && chosen.time === "cycles") return set("time", "ns");
    if (sized()) {
      if (timed()) chosen.time = "cycles";
      return set("data", chosen.data === "phits" ? "bytes" : "phits");
    }
    if (timed()) set("time", "cycles");
  };

  const grouped = (text) => text.replace(/^(-?\d+)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
  const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];

  /// So many significant digits, thousands separated; whole numbers below 10^15 as they are.
  weft.number = (value, digits = 4) => {
    if (value === null || value === undefined || value === "") return "";
    if (typeof value === "bigint") return grouped(String(value));
    if (typeof value !== "number") return String(value);
    if (!Number.isFinite(value)) return "n/a";
    if (Number.isInteger(value) && Math.abs(value) < 1e15) return grouped(String(value));
    const size = Math.abs(value);
    if (size >= 1e15 || size < 1e-4) return value.toExponential(digits - 1);
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
    return grouped(value.toFixed(Math.min(decimals, 12)));
  };
  /// 12,345,678 as "12.3 M".
  weft.short = (value, digits = 3) => {
    for (const [size, prefix] of prefixes) {
      if (Math.abs(value) >= size) return parseFloat((value / size).toPrecision(digits)) + " " + prefix;
    }
    return weft.number(parseFloat(value.toPrecision(digits)), digits);
  };
  weft.bytes = (value) => {
    const names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let k = 0;
    while (Math.abs(value) >= 1024 && k < names.length - 1) value /= 1024, ++k;
    return parseFloat(value.toPrecision(3)) + " " + names[k];
  };
  weft.duration = (seconds) => {
    if (seconds < 1e-3) return weft.number(seconds * 1e6, 3) + " µs";
    if (seconds < 1) return weft.number(seconds * 1e3, 3) + " ms";
    if (seconds < 120) return weft.number(seconds, 3) + " s";
    if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, "0")} s`;
    return `${Math.floor(seconds / 3600)} h ${String(Math.round((seconds % 3600) / 60)).padStart(2, "0")} min`;
  };
  /// A value of a quantity as text with its unit; `value` is in cycles, phits, ...
  weft.quantity = (value, quantity, units, digits = 4, clock = undefined) => {
    if (value === null || value === undefined) return "";
    if (quantity === "bytes") return weft.bytes(value);
    if (quantity === "seconds") return weft.duration(value);
    const unit = units.label(quantity);
    return weft.number(units.convert(value, quantity, clock), digits) + (unit ? " " + unit : "");
  };
})();
