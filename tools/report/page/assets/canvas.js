// What the figures on a canvas share: colour ramps, numbers, a stage with zoom and pan, legends, export.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});

  /// sRGB bytes of a colour in OKLCH (Ottosson 2020); lightness and chroma as fractions, hue in degrees.
  function oklch(lightness, chroma, hue) {
    const a = chroma * Math.cos((hue * Math.PI) / 180), b = chroma * Math.sin((hue * Math.PI) / 180);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    return linear.map((v) => {
      const c = Math.min(1, Math.max(0, v));
      return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
    });
  }

  // Lightness falls (or grows, on dark) in equal steps from anchor to anchor: uniform, and readable without hue.
  const anchors = {
    light: [
      [0.9, 0.012, 95],
      [0.775, 0.11, 80],
      [0.65, 0.17, 52],
      [0.525, 0.19, 29],
      [0.4, 0.15, 5],
      [0.275, 0.11, 320]
    ],
    dark: [
      [0.32, 0.035, 265],
      [0.444, 0.14, 300],
      [0.568, 0.2, 350],
      [0.692, 0.18, 35],
      [0.816, 0.15, 75],
      [0.94, 0.1, 105]
    ]
  };
  const ramp_steps = 64;

  /// The ramp of a theme: `css` and `words` (as ImageData holds pixels) of ramp_steps colours, from nothing to most.
  const ramps = {};
  function ramp(dark) {
    const name = dark ? "dark" : "light";
    if (ramps[name]) return ramps[name];
    const list = anchors[name], css = [], words = new Uint32Array(ramp_steps);
    for (let ix = 0; ix < ramp_steps; ++ix) {
      const at = (ix / (ramp_steps - 1)) * (list.length - 1),
        low = Math.min(list.length - 2, Math.floor(at)),
        part = at - low;
      const [from, to] = [list[low], list[low + 1]];
      const turn = ((to[2] - from[2] + 540) % 360) - 180;
      const [r, g, b] = oklch(
        from[0] + (to[0] - from[0]) * part,
        from[1] + (to[1] - from[1]) * part,
        from[2] + turn * part
      );
      css.push(`rgb(${r},${g},${b})`);
      words[ix] = (255 << 24) | (b << 16) | (g << 8) | r;
    }
    const step = (fraction) => (fraction >= 1 ? ramp_steps - 1 : fraction > 0 ? Math.floor(fraction * ramp_steps) : 0);
    return (ramps[name] = { css, words, step, steps: ramp_steps });
  }

  /// Bytes of a CSS colour.
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parsed = new Map();
  function rgb(colour) {
    if (!parsed.has(colour)) {
      probe.clearRect(0, 0, 1, 1);
      probe.fillStyle = colour;
      probe.fillRect(0, 0, 1, 1);
      parsed.set(colour, Array.from(probe.getImageData(0, 0, 1, 1).data.slice(0, 3)));
    }
    return parsed.get(colour);
  }
  function mixed(colour, other, share) {
    const a = rgb(colour), b = rgb(other);
    return `rgb(${a.map((v, ix) => Math.round(v + (b[ix] - v) * share)).join(",")})`;
  }

  const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  const fine = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
  const number = (v) =>
    !Number.isFinite(v) ? "–" : Number.isInteger(v) || Math.abs(v) >= 1e4 ? whole.format(v) : fine.format(v);
  const percent = (v) => (v === 0 ? "0 %" : v < 0.0001 ? "< 0.01 %" : `${(100 * v).toFixed(v < 0.01 ? 2 : 1)} %`);

  /// Round numbers between low and high, about `count` of them.
  function ticks(low, high, count) {
    const raw = (high - low) / Math.max(1, count);
    if (!(raw > 0)) return [];
    const power = 10 ** Math.floor(Math.log10(raw)), unit = [1, 2, 5, 10].find((u) => u * power >= raw) * power;
    const out = [];
    for (let at = Math.ceil(low / unit - 1e-9); at * unit <= high + unit * 1e-9; ++at)
      out.push(Number((at * unit).toPrecision(12)));
    return out;
  }

  /// An element with attributes, handlers ("onclick") and children; text is text, never markup.
  function node(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (name === "text") made.textContent = value;
      else if (value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  /// One of a few values; calls changed(value).
  function choice(label, options, value, changed) {
    const select = node("select", { "aria-label": label, onchange: () => changed(select.value) });
    for (const [key, text] of options) select.append(node("option", { value: key, text, selected: key === value }));
    return node("label", { class: "weft-choice" }, node("span", { text: label }), select);
  }

  /// A bar of the ramp with numbers. update(theme, ticks): `ticks` as [[fraction, text]...].
  function ramp_legend(label) {
    const bar = node("canvas", { width: ramp_steps, height: 1, class: "weft-ramp", "aria-hidden": "true" });
    const scale = node("div", { class: "weft-ramp-scale" }), name = node("span", { text: label });
    const element = node(
      "div",
      { class: "weft-ramp-legend" },
      name,
      node("div", { class: "weft-ramp-box" }, bar, scale)
    );
    function update(theme, marks, text) {
      const painter = bar.getContext("2d"), colours = ramp(theme.dark);
      colours.css.forEach((css, ix) => {
        painter.fillStyle = css;
        painter.fillRect(ix, 0, 1, 1);
      });
      if (text) name.textContent = text;
      scale.replaceChildren(
        ...marks.map(([at, mark]) => {
          const span = node("span", { text: mark, class: at > 0.97 ? "last" : at < 0.03 ? "first" : undefined });
          span.style.left = `${100 * at}%`;
          return span;
        }));
      element.marks = marks;
    }
    return { element, update };
  }

  /// The ramp's bar with its numbers on a canvas, for pictures; returns its height.
  function draw_ramp(painter, theme, x, y, width, label, marks) {
    const colours = ramp(theme.dark);
    painter.fillStyle = theme.foreground;
    painter.textBaseline = "top";
    painter.textAlign = "left";
    painter.fillText(label, x, y);
    for (let ix = 0; ix < ramp_steps; ++ix) {
      painter.fillStyle = colours.css[ix];
      painter.fillRect(x + (width * ix) / ramp_steps, y + 16, width / ramp_steps + 0.5, 9);
    }
    painter.fillStyle = theme.foreground;
    painter.textAlign = "center";
    for (const [at, text] of marks) painter.fillText(text, x + at * width, y + 28);
    return 44;
  }

  /// A table as CSV, by the rules of the page.
  const csv = (header, rows) => weft.csv([header, ...rows]);

  /// Numbers below 2^53 from the varints (LEB128) of a block.
  function varints(bytes, count, make) {
    const out = make(count);
    let at = 0;
    for (let ix = 0; ix < count; ++ix) {
      let value = bytes[at++];
      if (value > 127) {
        let byte = bytes[at++], unit = 16384;
        value = (value & 127) | ((byte & 127) << 7);
        while (byte > 127) {
          byte = bytes[at++];
          value += (byte & 127) * unit;
          unit *= 128;
        }
      }
      out[ix] = value;
    }
    return out;
  }

  weft.canvas = { ramp, rgb, mixed, number, percent, ticks, node, choice, ramp_legend, draw_ramp, csv, varints };
})();
