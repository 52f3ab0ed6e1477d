// What curves consist of, as shapes that a canvas and an SVG file draw alike: shaded ranges, bars, confidence bands,
// lines, markers. Colours of ramps, markers and swatches.
(function () {
  "use strict";
  const weft = window.weft;

  // Viridis from dark to light, ends left out that a background swallows.
  const stops = [
    [68, 57, 131],
    [59, 82, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [229, 228, 25],
  ];
  weft.ramp = (part, dark) => {
    const at = (dark ? 0.12 + 0.88 * part : 0.85 * part) * (stops.length - 1);
    const low = stops[Math.floor(at)],
      high = stops[Math.min(stops.length - 1, Math.floor(at) + 1)],
      rest = at - Math.floor(at);
    return `rgb(${low.map((value, k) => Math.round(value + rest * (high[k] - value))).join(",")})`;
  };

  weft.ramp_key = (dark) => {
    const key = weft.make("i", { class: "ramp" });
    key.style.background = `linear-gradient(90deg, ` +
      `${[0, 0.25, 0.5, 0.75, 1].map((part) => weft.ramp(part, dark)).join(",")})`;
    return key;
  };

  const markers = [
    (x, y, r) => [["arc", x, y, r]],
    (x, y, r) => [
      [
        "poly",
        [x - r * 0.9, y - r * 0.9],
        [x + r * 0.9, y - r * 0.9],
        [x + r * 0.9, y + r * 0.9],
        [x - r * 0.9, y + r * 0.9],
      ],
    ],
    (x, y, r) => [["poly", [x, y - r * 1.2], [x + r * 1.1, y + r * 0.8], [x - r * 1.1, y + r * 0.8]]],
    (x, y, r) => [["poly", [x, y - r * 1.3], [x + r * 1.3, y], [x, y + r * 1.3], [x - r * 1.3, y]]],
    (x, y, r) => [["poly", [x, y + r * 1.2], [x + r * 1.1, y - r * 0.8], [x - r * 1.1, y - r * 0.8]]],
  ];
  const cross = (x, y, r) => [
    ["line", [x - r, y - r], [x + r, y + r]],
    ["line", [x - r, y + r], [x + r, y - r]],
  ];

  const plus = (x, y, r) => [
    ["line", [x - r, y], [x + r, y]],
    ["line", [x, y - r], [x, y + r]],
  ];

  /// Below the curves: {rects, polygons}, each with its colour.
  function below(curves, frame) {
    const theme = curves.context.theme(),
      shapes = [];
    for (const band of curves.bands) {
      const left = frame.x(band.from),
        right = frame.x(band.to);
      shapes.push({
        rect: [left, frame.top, right - left, frame.height],
        fill: band.faint ? theme.soft : theme.band,
        alpha: band.faint ? 0.12 : 1,
        label: band.label,
      });
    }
    const shown = curves.shown();
    const bars = shown.filter((one) => one.spec.draw === "bars");
    if (bars.length > 0) {
      const step = weft.smallest_step(bars),
        stacked = curves.spec.stacked,
        wide = stacked ? 1 : bars.length;
      const zero = Math.min(frame.y(curves.log_y ? 1e-300 : 0), frame.top + frame.height);
      bars.forEach((one, place) => {
        const style = curves.style(one);
        for (let k = 0; k < one.xs.length; ++k) {
          if (!Number.isFinite(one.ys[k])) continue;
          const from = one.xs[k] - 0.4 * step + (stacked ? 0 : (0.8 * step * place) / wide);
          const left = frame.x(from),
            right = frame.x(from + (0.8 * step) / wide);
          const top = frame.y(stacked ? one.top[k] : one.ys[k]),
            base = stacked ? frame.y(one.base[k]) : zero;
          const gap = right - left > 4 ? 0.5 : 0;
          shapes.push({
            rect: [left + gap, Math.min(top, base), Math.max(right - left - 2 * gap, 0.5), Math.abs(base - top)],
            fill: style.colour,
            alpha: curves.faded(one) ? 0.15 : 0.88,
          });
        }
      });
    }
    for (const one of shown) {
      if (one.spec.draw !== "path") continue;
      const style = curves.style(one),
        line = [];
      for (let k = 0; k < one.xs.length; ++k)
        if (Number.isFinite(one.ys[k])) line.push([frame.x(one.xs[k]), frame.y(one.ys[k])]);
      shapes.push({
        line,
        stroke: style.colour,
        width: style.width,
        dash: style.dash,
        alpha: curves.faded(one) ? 0.2 : 1,
      });
    }
    for (const one of shown) {
      if (!one.lows) continue;
      const up = [],
        down = [];
      for (let k = 0; k < one.xs.length; ++k) {
        if (!Number.isFinite(one.lows[k]) || !Number.isFinite(one.highs[k]) || !Number.isFinite(one.ys[k])) continue;
        const low = curves.log_y ? Math.max(one.lows[k], one.ys[k] / 1e3) : one.lows[k];
        up.push([frame.x(one.xs[k]), frame.y(one.highs[k])]);
        down.unshift([frame.x(one.xs[k]), frame.y(low)]);
      }
      const style = curves.style(one),
        alpha = curves.faded(one) ? 0.04 : 0.17;
      if (up.length > 1) shapes.push({ polygon: [...up, ...down], fill: style.colour, alpha });
      if (up.length <= 60) {
        up.forEach((top, k) => {
          shapes.push({
            segment: [top, down[down.length - 1 - k]],
            stroke: style.colour,
            width: 1,
            alpha: curves.faded(one) ? 0.15 : 0.7,
          });
        });
      }
    }
    return shapes;
  }

  /// Above them: markers, vertical lines with their labels.
  function above(curves, frame) {
    const theme = curves.context.theme(),
      shapes = [],
      shown = curves.shown();
    for (const line of curves.lines) {
      if (line.series !== undefined && (!curves.all[line.series].shown || shown.length > 3)) continue;
      const style = line.series !== undefined ? curves.style(curves.all[line.series]) : { colour: theme.soft };
      const x = frame.x(line.x);
      shapes.push({
        segment: [
          [x, frame.top],
          [x, frame.top + frame.height],
        ],
        stroke: style.colour,
        width: 1,
        dash: [3, 3],
        alpha: 0.9,
      });
      shapes.push({ text: line.label, at: [x + 3, frame.top + 10 + 12 * (line.row || 0)], fill: style.colour });
    }
    for (const one of shown) {
      if (one.spec.draw === "bars" || one.spec.reference || one.spec.draw === "steps" || one.spec.draw === "area")
        continue;
      const few = one.xs.length <= 60 && !curves.spec.ramp;
      if (!few && one.spec.draw !== "points" && one.spec.draw !== "crosses") continue;
      const style = curves.style(one),
        alpha = curves.faded(one) ? 0.2 : 1;
      for (let k = 0; k < one.xs.length; ++k) {
        const x = frame.x(one.xs[k]),
          y = frame.y(one.ys[k]);
        if (!Number.isFinite(x) || !Number.isFinite(y) || y < frame.top - 4) continue;
        if (one.spec.draw === "crosses") {
          shapes.push({ path: plus(x, y, 5), stroke: style.colour, width: 2, alpha });
          continue;
        }
        const mark = one.spec.marks ? one.spec.marks[k] : 0;
        shapes.push({
          path: markers[Math.max(0, style.marker) % markers.length](x, y, one.xs.length > 30 ? 2.4 : 3.4),
          fill: mark & 1 ? theme.background : style.colour,
          stroke: style.colour,
          width: 1.5,
          alpha,
        });
        if (mark & 2) shapes.push({ path: cross(x, y, 5), stroke: theme.foreground, width: 1.3, alpha });
      }
    }
    return shapes;
  }
  weft.curve_shapes = { below, above };

  weft.paint = (canvas, shapes, ratio) => {
    canvas.save();
    for (const shape of shapes) {
      canvas.globalAlpha = shape.alpha ?? 1;
      canvas.setLineDash((shape.dash || []).map((length) => length * ratio));
      if (shape.fill) canvas.fillStyle = shape.fill;
      if (shape.stroke) canvas.strokeStyle = shape.stroke;
      canvas.lineWidth = (shape.width || 1) * ratio;
      if (shape.rect) {
        canvas.fillRect(...shape.rect);
        continue;
      }
      if (shape.text) {
        canvas.font = `${11 * ratio}px system-ui, sans-serif`;
        canvas.textAlign = "left";
        canvas.textBaseline = "alphabetic";
        canvas.fillText(shape.text, ...shape.at);
        continue;
      }
      canvas.beginPath();
      const poly = (points, closed) => {
        points.forEach((point, k) => (k === 0 ? canvas.moveTo(...point) : canvas.lineTo(...point)));
        if (closed) canvas.closePath();
      };
      if (shape.polygon) poly(shape.polygon, true);
      if (shape.segment) poly(shape.segment, false);
      if (shape.line) poly(shape.line, false);
      for (const [kind, ...rest] of shape.path || []) {
        if (kind === "arc") canvas.arc(rest[0], rest[1], rest[2], 0, 2 * Math.PI);
        else poly(rest, kind === "poly");
      }
      if (shape.fill) canvas.fill();
      if (shape.stroke) canvas.stroke();
    }
    canvas.restore();
  };

  const place = (value) => String(Math.round(value * 100) / 100);
  const points = (list) => list.map((point) => point.map(place).join(",")).join(" ");
  weft.svg_shapes = (shapes) =>
    shapes
      .map((shape) => {
        const look =
          ` fill="${shape.fill || "none"}"` +
          (shape.stroke ? ` stroke="${shape.stroke}" stroke-width="${shape.width || 1}"` : "") +
          (shape.dash && shape.dash.length ? ` stroke-dasharray="${shape.dash.join(" ")}"` : "") +
          (shape.alpha !== undefined && shape.alpha !== 1 ? ` opacity="${shape.alpha}"` : "");
        if (shape.rect) {
          const [x, y, width, height] = shape.rect.map(place);
          return `<rect x="${x}" y="${y}" width="${width}" height="${height}"${look}/>`;
        }
        if (shape.text)
          return `<text x="${place(shape.at[0])}" y="${place(shape.at[1])}" ` +
            `fill="${shape.fill}">${weft.xml(shape.text)}</text>`;
        if (shape.polygon) return `<polygon points="${points(shape.polygon)}"${look}/>`;
        if (shape.segment || shape.line) return `<polyline points="${points(shape.segment || shape.line)}"${look}/>`;
        return shape.path
          .map(([kind, ...rest]) =>
            kind === "arc"
              ? `<circle cx="${place(rest[0])}" cy="${place(rest[1])}" r="${rest[2]}"${look}/>`
              : kind === "poly"
                ? `<polygon points="${points(rest)}"${look}/>`
                : `<polyline points="${points(rest)}"${look}/>`,
          )
          .join("");
      })
      .join("\n");

  /// A piece of a line in the look of a series, for legends.
  weft.swatch = (style, draw) => {
    const canvas = weft.make("canvas", { width: 56, height: 28, class: "swatch", "aria-hidden": "true" });
    const middle = 14,
      shapes = [];
    if (draw === "bars") shapes.push({ rect: [8, 4, 40, 20], fill: style.colour });
    else if (draw === "crosses") shapes.push({ path: plus(28, middle, 9), stroke: style.colour, width: 4 });
    else if (draw !== "points")
      shapes.push({
        segment: [
          [2, middle],
          [54, middle],
        ],
        stroke: style.colour,
        width: 2 * (style.width || 1.9),
        dash: (style.dash || []).map((v) => 2 * v),
      });
    if (!["bars", "steps", "area", "crosses"].includes(draw) && style.marker >= 0) {
      shapes.push({ path: markers[style.marker % markers.length](28, middle, 7), fill: style.colour });
    }
    weft.paint(canvas.getContext("2d"), shapes, 1);
    return canvas;
  };
})();
