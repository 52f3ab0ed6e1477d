// The plot of curves: uPlot with axes that read well.
(function () {
  "use strict";
  const weft = window.weft;
  const font = "12px system-ui, sans-serif";

  function log_splits(low, high) {
    const decades = Math.log10(high / low),
      splits = [];
    const steps = decades > 4 ? [1] : decades > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
    const every = Math.max(1, Math.ceil(decades / 8));
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
      if (decades > 8 && power % every !== 0) continue;
      for (const step of steps) {
        const value = parseFloat((step * 10 ** power).toPrecision(6));
        if (value >= low * 0.999 && value <= high * 1.001) splits.push(value);
      }
    }
    return splits;
  }
  /// Texts of ticks: as many decimals as their distance needs, a prefix where all are large.
  function tick_texts(splits) {
    const values = splits.filter((value) => value !== null);
    const most = Math.max(...values.map(Math.abs), 0);
    return splits.map((value) => {
      if (value === null) return "";
      if (value !== 0 && (most >= 1e6 || most < 1e-3))
        return most >= 1e6 ? weft.short(value, 4) : value.toExponential(1);
      return weft
        .number(parseFloat(value.toPrecision(10)), 4)
        .replace(/(\.\d*?)0+$/, "$1")
        .replace(/\.$/, "");
    });
  }
  /// Ticks whose texts would touch the one before have none; powers of ten go first.
  function apart(plot, splits, texts) {
    const place = (k) => plot.valToPos(splits[k], "x"),
      kept = [];
    const order = splits.map((_, k) => k).sort((a, b) => roundness(splits[b]) - roundness(splits[a]) || a - b);
    for (const k of order) {
      const wide = (other) => 3.6 * (texts[k].length + texts[other].length) + 8;
      if (kept.every((other) => Math.abs(place(other) - place(k)) > wide(other))) kept.push(k);
    }
    return texts.map((text, k) => (kept.includes(k) ? text : ""));
  }
  function roundness(value) {
    const first = Number(value.toExponential(6)[0]),
      whole = Number.isInteger(Number(value.toExponential(6).split("e")[0]));
    return !whole ? 0 : first === 1 ? 3 : first === 2 || first === 5 ? 2 : 1;
  }
  const shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  function name_splits(curves, plot, low, high) {
    const first = Math.max(0, Math.ceil(low)),
      last = Math.min(curves.spec.x.names.length - 1, Math.floor(high));
    const longest = Math.min(16, Math.max(1, ...curves.spec.x.names.map((name) => name.length)));
    const fit = Math.max(1, Math.floor(plot.bbox.width / devicePixelRatio / (longest * 6.6 + 12)));
    const every = Math.max(1, Math.ceil((last - first + 1) / fit)),
      splits = [];
    for (let k = first; k <= last; k += every) splits.push(k);
    return splits;
  }

  function axis_of(curves, which) {
    const theme = curves.context.theme(),
      spec = curves.spec[which],
      log = which === "x" ? curves.log_x : curves.log_y;
    const axis = {
      scale: which,
      font,
      labelFont: font,
      stroke: theme.soft,
      grid: { stroke: theme.grid, width: 1 },
      ticks: { stroke: theme.grid, width: 1, size: 4 },
      values: (_, splits) => tick_texts(splits),
    };
    if (log && which === "x") axis.values = (plot, splits) => apart(plot, splits, tick_texts(splits));
    if (log) ((axis.splits = (plot, ix, low, high) => log_splits(low, high)), (axis.filter = (_, splits) => splits));
    if (which === "x") {
      Object.assign(axis, { size: 30, gap: 4, space: 64, label: curves.label(spec), labelSize: 20, labelGap: 0 });
      if (spec.names) {
        axis.splits = (plot, ix, low, high) => name_splits(curves, plot, low, high);
        axis.values = (_, splits) => splits.map((k) => shorten(spec.names[k] ?? "", 16));
        axis.grid.show = false;
      } else if (spec.whole) {
        axis.incrs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
      }
    } else {
      axis.gap = 4;
      axis.size = (_, values) => 14 + 6.8 * Math.max(3, ...(values || []).map((text) => text.length));
    }
    return axis;
  }

  const nulls = (values) => Array.from(values, (value) => (Number.isFinite(value) ? value : null));
  /// Bars, points and paths draw themselves (curves_shapes.js).
  const by_shapes = (one) => ["bars", "points", "path", "crosses"].includes(one.spec.draw);
  function data_of(all) {
    const lines = all.filter((one) => !by_shapes(one));
    if (lines.length === 0) return [[0, 1], ...all.map(() => [null, null])];
    const first = lines[0].xs;
    const same = lines.every(
      (one) => one.x === lines[0].x || (one.xs.length === first.length && one.xs.every((x, k) => x === first[k])),
    );
    if (!same)
      return uPlot.join(
        all.map((one) => (by_shapes(one) ? [[first[0] ?? 0], [null]] : [Array.from(one.xs), nulls(one.ys)])),
      );
    const nothing = new Array(first.length).fill(null);
    return [Array.from(first), ...all.map((one) => (by_shapes(one) ? nothing : nulls(one.ys)))];
  }

  function series_of(curves, one) {
    const style = curves.style(one),
      draw = one.spec.draw || "line";
    const series = {
      label: one.spec.label,
      stroke: style.colour,
      width: style.width,
      dash: style.dash,
      spanGaps: true,
      points: { show: false },
      show: one.shown,
      alpha: curves.faded(one) ? 0.2 : 1,
    };
    if (by_shapes(one)) series.paths = () => null;
    if (draw === "steps") series.paths = uPlot.paths.stepped({ align: 1 });
    if (draw === "area" || draw === "steps") series.fill = `color-mix(in srgb, ${style.colour} 14%, transparent)`;
    return series;
  }

  /// Where values lie on a plot, in pixels of the canvas.
  const frame_of = (plot) => ({
    x: (value) => plot.valToPos(value, "x", true),
    y: (value) => plot.valToPos(value, "y", true),
    left: plot.bbox.left,
    top: plot.bbox.top,
    width: plot.bbox.width,
    height: plot.bbox.height,
  });

  function painted(curves, which) {
    return (plot) => {
      const context = plot.ctx,
        ratio = devicePixelRatio || 1,
        frame = frame_of(plot);
      context.save();
      context.beginPath();
      context.rect(
        frame.left,
        frame.top - (which === "above" ? 4 : 0),
        frame.width + (which === "above" ? 4 : 0),
        frame.height + (which === "above" ? 4 : 0),
      );
      context.clip();
      // Shapes are in units of the page, so that files have them too.
      context.scale(ratio, ratio);
      weft.paint(context, weft.curve_shapes[which](curves, scaled(frame, 1 / ratio)), 1);
      context.restore();
    };
  }
  function scaled(frame, by) {
    return {
      x: (value) => frame.x(value) * by,
      y: (value) => frame.y(value) * by,
      left: frame.left * by,
      top: frame.top * by,
      width: frame.width * by,
      height: frame.height * by,
    };
  }

  weft.plot_of = (curves, height) => {
    const ranges = curves.view || curves.ranges(),
      theme = curves.context.theme();
    const emphasis = (plot) => {
      plot.series.forEach((series, k) => {
        if (k === 0) return;
        const one = curves.all[k - 1];
        series.alpha = curves.faded(one) || (curves.hover && curves.hover !== one) ? 0.25 : 1;
      });
    };
    const scale = (name, log) => ({
      time: false,
      auto: false,
      min: ranges[name][0],
      max: ranges[name][1],
      distr: log ? 3 : 1,
      range: (_, low, high) => [low, high],
    });
    const options = {
      width: Math.max(curves.place.clientWidth, 200),
      height,
      pxAlign: 1,
      padding: [10, 12, 0, 0],
      scales: { x: scale("x", curves.log_x), y: scale("y", curves.log_y) },
      axes: [axis_of(curves, "x"), axis_of(curves, "y")],
      series: [{}, ...curves.all.map((one) => series_of(curves, one))],
      legend: { show: false },
      cursor: {
        points: { show: false },
        y: false,
        drag: { x: true, y: true, uni: 40, dist: 6 },
        bind: {
          dblclick: () => () => {
            curves.reset();
            return null;
          },
        },
      },
      hooks: {
        drawClear: [emphasis],
        drawAxes: [painted(curves, "below")],
        draw: [painted(curves, "above")],
        setCursor: [() => weft.hover_curves(curves)],
        setSelect: [
          (plot) => {
            if (plot.select.width > 0) curves.zooming = true;
          },
        ],
        setScale: [
          (plot) => {
            const { x, y } = plot.scales,
              near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
            const same =
              near(x.min, ranges.x[0]) &&
              near(x.max, ranges.x[1]) &&
              near(y.min, ranges.y[0]) &&
              near(y.max, ranges.y[1]);
            if (!curves.plot || curves.plot !== plot || same) return;
            curves.view = { x: [x.min, x.max], y: [y.min, y.max] };
            curves.zoomed();
          },
        ],
      },
    };
    curves.place.replaceChildren(
      weft.make(
        "div",
        { class: "axis-y" },
        curves.label(curves.spec.y) + (curves.view === null && curves.capped ? " (higher values are cut off)" : ""),
      ),
    );
    const plot = new uPlot(options, data_of(curves.all), curves.place);
    curves.place.append(curves.tip);
    plot.over.style.setProperty("--select", theme.foreground);
    return plot;
  };

  /// For files: the same in units of the page, and what draws itself.
  weft.curve_frame = (plot) => scaled(frame_of(plot), 1 / (devicePixelRatio || 1));
  weft.drawn_by_shapes = by_shapes;
})();
