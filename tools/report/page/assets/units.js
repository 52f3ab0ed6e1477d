// Units that are switched in place, and numbers as people read them.
(function () {
  "use strict";
  const weft = window.weft;
  const chosen = { time: "cycles", data: "phits" };

  const clocks = () => (weft.spec && weft.spec.clocks && weft.spec.clocks.length ? weft.spec.clocks : [{}]);
  const timed = () => clocks().some((clock) => clock.cycle_ns > 0);
  const sized = () => clocks().some((clock) => clock.phit_bytes > 0);

  /// What a value of a quantity is multiplied with, from cycles, phits and bytes.
  function factor(quantity, clock, units) {
    const ns = units.time === "ns" ? clock.cycle_ns : 1;
    const bytes = units.data === "bytes" ? clock.phit_bytes : 1;
    switch (quantity) {
      case "time":
        return ns;
      case "data":
        return bytes;
      case "load":
        return bytes / ns;
      case "bandwidth":
        return (units.data === "bytes" || !clock.phit_bytes ? 1 : 1 / clock.phit_bytes) / ns;
      case "share":
        return 100;
      default:
        return 1;
    }
  }

  function label_of(quantity, units) {
    const time = units.time === "ns" ? "ns" : "cycle",
      gbps = units.time === "ns" && units.data === "bytes";
    switch (quantity) {
      case "time":
        return units.time;
      case "data":
        return units.data;
      case "load":
        return gbps ? "GB/s per node" : `${units.data}/node/${time}`;
      case "bandwidth":
        return gbps ? "GB/s" : `${units.sized ? units.data : "bytes"}/${time}`;
      case "share":
        return "%";
      case "seconds":
        return "s";
      case "bytes":
        return "bytes";
      default:
        return "";
    }
  }

  /// The units of a figure that shows values of these of the page's clocks (lengths of a cycle and of a phit); those
  /// are switched that all of them have. The first is that of values that name none.
  weft.units_of = (...used) => {
    const all = (used.length ? used : [0]).map((ix) => clocks()[ix] || {});
    const units = {
      sized: all.every((clock) => clock.phit_bytes > 0),
      get time() {
        return all.every((clock) => clock.cycle_ns > 0) ? chosen.time : "cycles";
      },
      get data() {
        return units.sized ? chosen.data : "phits";
      },
      convert: (value, quantity, clock) =>
        value === null || value === undefined
          ? value
          : Number(value) * factor(quantity, clock === undefined ? all[0] : clocks()[clock] || {}, units),
      label: (quantity) => label_of(quantity, units),
    };
    return units;
  };

  function set(which, unit) {
    chosen[which] = unit;
    for (const button of document.querySelectorAll("[data-unit]")) {
      button.setAttribute("aria-pressed", String(chosen[button.dataset.which] === button.dataset.unit));
    }
    weft.changed();
  }

  function group(which, names) {
    return weft.make(
      "div",
      { class: "switch", role: "group", "aria-label": "Unit of " + which },
      ...names.map((name) =>
        weft.make(
          "button",
          {
            type: "button",
            "data-which": which,
            "data-unit": name,
            title: `Show ${which} in ${name} (key U)`,
            "aria-pressed": String(chosen[which] === name),
            onclick: () => set(which, name),
          },
          name,
        ),
      ),
    );
  }

  /// A cycle that has a length everywhere is shown by it.
  weft.unit_buttons = () => {
    if (timed()) chosen.time = "ns";
    if (timed() && sized()) chosen.data = "bytes";
    return [
      timed() ? group("time", ["cycles", "ns"]) : null,
      sized() ? group("data", ["phits", "bytes"]) : null,
    ].filter((element) => element);
  };

  /// From one pair of units to the next.
  weft.next_units = () => {
    if (timed() && chosen.time === "cycles") return set("time", "ns");
    if (sized()) {
      if (timed()) chosen.time = "cycles";
      return set("data", chosen.data === "phits" ? "bytes" : "phits");
    }
    if (timed()) set("time", "cycles");
  };

  const grouped = (text) => text.replace(/^(-?\d+)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
  const prefixes = [
    [1e12, "T"],
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];

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
    while (Math.abs(value) >= 1024 && k < names.length - 1) ((value /= 1024), ++k);
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
