// Curves as files: a canvas for PNG, and SVG.
(function () {
  "use strict";
  const weft = window.weft;
  const font = "12px system-ui, sans-serif";

  const title_height = 30;
  /// Rows of a legend of at most this width: {places: [{one or null, text, x, row}], height}.
  function legend_places(curves, width) {
    const many = curves.all.length > 1,
      places = [];
    let x = 10,
      row = 0;
    const add = (one, text) => {
      const wide = (one ? 44 : 14) + 6.4 * text.length;
      if (x > 10 && x + wide > width) ((x = 10), ++row);
      places.push({ one, text, x, row });
      x += wide;
    };
    for (const one of many ? curves.shown() : []) add(one, one.spec.name || one.spec.label);
    for (const key of curves.keys()) add(null, key);
    return { places, height: places.length > 0 ? 20 * (row + 1) : 0 };
  }

  /// The figure with its title and legend as a canvas.
  weft.curves_png = (curves) => {
    const plot = curves.plot,
      ratio = devicePixelRatio || 1,
      theme = curves.context.theme();
    const legend = legend_places(curves, plot.width),
      head = title_height + legend.height + 16;
    const canvas = weft.make("canvas", {
      width: Math.round(plot.width * ratio),
      height: Math.round((plot.height + head) * ratio),
    });
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, plot.width, plot.height + head);
    context.fillStyle = theme.foreground;
    context.font = "600 15px system-ui, sans-serif";
    context.fillText(curves.spec.title || "", 10, 21, plot.width - 20);
    context.font = font;
    for (const { one, text, x, row } of legend.places) {
      if (one) context.drawImage(weft.swatch(curves.style(one), one.spec.draw), x, title_height + 20 * row, 28, 14);
      context.fillStyle = one ? theme.foreground : theme.soft;
      context.fillText(text, x + (one ? 33 : 0), title_height + 20 * row + 11);
    }
    context.fillStyle = theme.soft;
    context.fillText(curves.label(curves.spec.y), 10, head - 2);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(plot.ctx.canvas, 0, head * ratio);
    return canvas;
  };

  /// The same as an SVG file.
  weft.curves_svg = (curves) => {
    const plot = curves.plot,
      theme = curves.context.theme();
    const frame = weft.curve_frame(plot),
      legend = legend_places(curves, plot.width),
      head = title_height + legend.height + 16;
    const clip = "clip-" + (curves.spec.title || "figure").toLowerCase().replace(/[^a-z0-9]+/g, "-");
    const bottom = frame.top + frame.height,
      right = frame.left + frame.width,
      parts = [],
      text = weft.xml;
    parts.push(
      `<text x="10" y="21" fill="${theme.foreground}" font-size="15" ` +
      `font-weight="600">${text(curves.spec.title || "")}</text>`
    );
    for (const { one, text: name, x, row } of legend.places) {
      const y = title_height + 20 * row + 7;
      if (one) {
        const style = curves.style(one);
        parts.push(
          weft.svg_shapes([
            {
              segment: [
                [x, y],
                [x + 28, y],
              ],
              stroke: style.colour,
              width: 2,
              dash: style.dash,
            },
          ]),
        );
      }
      parts.push(
        `<text x="${x + (one ? 33 : 0)}" y="${y + 4}" ` +
        `fill="${one ? theme.foreground : theme.soft}">${text(name)}</text>`
      );
    }
    parts.push(
      `<text x="10" y="${head - 2}" fill="${theme.soft}">${text(curves.label(curves.spec.y))}</text>`,
      `<g transform="translate(0 ${head})">`,
    );
    const ticks = (axis) =>
      (axis._splits || [])
        .map((value, k) => [value, (axis._values || [])[k]])
        .filter(([value, name]) => value !== null && name !== "");
    for (const [value, name] of ticks(plot.axes[0])) {
      const x = frame.x(value);
      if (x < frame.left - 1 || x > right + 1) continue;
      parts.push(
        weft.svg_shapes([
          {
            segment: [
              [x, frame.top],
              [x, bottom],
            ],
            stroke: theme.grid,
          },
        ]),
        `<text x="${x.toFixed(1)}" y="${bottom + 18}" fill="${theme.soft}" text-anchor="middle">${text(name)}</text>`,
      );
    }
    for (const [value, name] of ticks(plot.axes[1])) {
      const y = frame.y(value);
      if (y < frame.top - 1 || y > bottom + 1) continue;
      parts.push(
        weft.svg_shapes([
          {
            segment: [
              [frame.left, y],
              [right, y]
            ],
            stroke: theme.grid
          }
        ]),
        `<text x="${(frame.left - 6).toFixed(1)}" y="${(y + 4).toFixed(1)}" fill="${theme.soft}" ` +
        `text-anchor="end">${text(name)}</text>`
      );
    }
    parts.push(
      `<text x="${frame.left + frame.width / 2}" y="${plot.height - 4}" fill="${theme.soft}" ` +
      `text-anchor="middle">${text(curves.label(curves.spec.x))}</text>`,
      `<clipPath id="${clip}"><rect x="${frame.left}" y="${frame.top}" width="${frame.width}" ` +
      `height="${frame.height}"/></clipPath><g clip-path="url(#${clip})">`,
      weft.svg_shapes(weft.curve_shapes.below(curves, frame))
    );
    for (const one of curves.shown()) {
      if (weft.drawn_by_shapes(one)) continue;
      const style = curves.style(one),
        line = [];
      for (let k = 0; k < one.xs.length; ++k) {
        const out_of_scale = (curves.log_y && one.ys[k] <= 0) || (curves.log_x && one.xs[k] <= 0);
        if (!Number.isFinite(one.ys[k]) || out_of_scale) continue;
        if (one.spec.draw === "steps" && line.length > 0) line.push([frame.x(one.xs[k]), line[line.length - 1][1]]);
        line.push([frame.x(one.xs[k]), frame.y(one.ys[k])]);
      }
      parts.push(weft.svg_shapes([{ line, stroke: style.colour, width: style.width, dash: style.dash }]));
    }
    parts.push("</g>", weft.svg_shapes(weft.curve_shapes.above(curves, frame)), "</g>");
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${plot.width}" height="${plot.height + head}" viewBox="0 0 ` +
      `${plot.width} ${plot.height + head}" ` +
      `font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12">\n<rect width="100%" height="100%" ` +
      `fill="${theme.background}"/>\n` +
      parts.filter((part) => part).join("\n") +
      "\n</svg>\n"
    );
  };
})();
