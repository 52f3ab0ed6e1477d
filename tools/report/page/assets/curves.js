// Curves, steps, bars and points with confidence bands, on uPlot.
//   {kind: "curves", x: {label, quantity, log, values, names}, y: {label, quantity, log, capped, low, high},
//    series: [{label, x, y, low, high, marks, notes, draw, reference, dash, clock, colour, like, hidden, name}],
//    bands: [{from, to, label, faint}], lines: [{x, label, series, row}], stacked, ramp: what the colours say, wide}
// x and y: numbers or {block, type, shape}; names: categories, in place of numbers on x; low and high: ends of the
// confidence interval; marks: 1 saturated, 2 not converged, 3 both; draw: line (default), steps, bars, points, area,
// path (x need not rise), crosses (of others: published points); like: the label of the series whose colour it has;
// faint: bands that overlap are darker there.
(function () {
  "use strict";
  const weft = window.weft;
  const visible_at_first = 16;
  const height = 300;

  /// The numbers of all series, as they are in the file.
  async function load(spec) {
    const shared = spec.x.values ? await weft.numbers(spec.x.values) : null;
    return Promise.all(
      (spec.series || []).map(async (series, place) => {
        const y = await weft.numbers(series.y);
        const x = series.x ? await weft.numbers(series.x) : shared || Array.from(y, (_, ix) => ix);
        const ends = series.low ? [await weft.numbers(series.low), await weft.numbers(series.high)] : null;
        return { spec: series, place, x, y, low: ends && ends[0], high: ends && ends[1], shown: !series.hidden };
      }),
    );
  }

  const finite = (value) => value !== null && value !== undefined && Number.isFinite(Number(value));

  /// The state of a figure: what is shown of it, in which units, and how.
  class Curves {
    constructor(element, spec, context, all) {
      Object.assign(this, {
        element,
        spec,
        context,
        all,
        log_x: !!spec.x.log,
        log_y: !!spec.y.log,
        view: null,
        plot: null,
        at: null,
      });
      const drawn = all.filter((one) => !one.spec.reference);
      if (drawn.length > visible_at_first && !spec.ramp && !spec.stacked) {
        drawn.forEach((one, ix) => {
          if (ix >= visible_at_first) one.shown = false;
        });
      }
      this.convert();
      this.log_y = this.log_y || this.cap_leaves_too_little();
      this.build();
    }
    /// Whether a cap would hide a curve but for one point or less.
    cap_leaves_too_little() {
      const cap = this.cap(this.extent());
      return (
        cap !== null &&
        this.shown().some((one) => {
          const points = one.ys.filter(Number.isFinite);
          return points.filter((value) => value <= cap).length < Math.min(2, points.length);
        })
      );
    }

    /// Values in the units that are chosen.
    convert() {
      const { spec, context } = this;
      const take = (values, axis, clock) =>
        Float64Array.from(values, (value) =>
          finite(value) ? context.units.convert(value, axis.quantity, clock) : NaN,
        );
      for (const one of this.all) {
        const clock = one.spec.clock ?? spec.clock ?? 0;
        one.xs = take(one.x, spec.x, clock);
        one.ys = take(one.y, spec.y, clock);
        one.lows = one.low && take(one.low, spec.y, clock);
        one.highs = one.high && take(one.high, spec.y, clock);
      }
      const first = spec.clock ?? 0;
      this.bands = (spec.bands || []).map((band) => ({
        ...band,
        from: context.units.convert(band.from, spec.x.quantity, first),
        to: context.units.convert(band.to, spec.x.quantity, first),
      }));
      this.lines = (spec.lines || []).map((line) => ({
        ...line,
        x: context.units.convert(
          line.x,
          spec.x.quantity,
          line.series === undefined ? first : (this.all[line.series].spec.clock ?? first),
        ),
      }));
      if (spec.stacked) this.stack();
    }
    stack() {
      const sums = new Float64Array(Math.max(0, ...this.all.map((one) => one.ys.length)));
      for (const one of this.all) {
        one.base = Float64Array.from(one.ys, (_, k) => sums[k]);
        one.top = Float64Array.from(one.ys, (value, k) => (sums[k] += one.shown && value > 0 ? value : 0));
      }
    }
    shown() {
      return this.all.filter((one) => one.shown);
    }
    bars() {
      return this.all.some((one) => one.spec.draw === "bars");
    }

    /// Least and largest of what is shown: {x: [low, high], y: [low, high]}.
    extent() {
      const x = [Infinity, -Infinity],
        y = [Infinity, -Infinity];
      const take = (range, value, log) => {
        if (!Number.isFinite(value) || (log && value <= 0)) return;
        if (value < range[0]) range[0] = value;
        if (value > range[1]) range[1] = value;
      };
      for (const one of this.shown()) {
        for (let k = 0; k < one.xs.length; ++k) {
          if (!Number.isFinite(one.ys[k])) continue;
          take(x, one.xs[k], this.log_x);
          take(y, this.spec.stacked ? one.top[k] : one.ys[k], this.log_y);
          // Bands of what is saturated may be as wide as the figure; they do not set its range.
          if (one.highs && !(one.spec.marks && one.spec.marks[k] & 1)) take(y, one.highs[k], this.log_y);
        }
      }
      if (!(x[0] <= x[1])) ((x[0] = this.log_x ? 1 : 0), (x[1] = this.log_x ? 10 : 1));
      if (!(y[0] <= y[1])) ((y[0] = this.log_y ? 1 : 0), (y[1] = this.log_y ? 10 : 1));
      return { x, y };
    }
    /// Where latencies of saturated points would leave no more than a line of the others.
    cap(extent) {
      if (!this.spec.y.capped || this.log_y) return null;
      let least = Infinity;
      for (const one of this.shown()) for (const value of one.ys) if (value > 0 && value < least) least = value;
      return extent.y[1] > 12 * least ? 12 * least : null;
    }
    ranges() {
      const extent = this.extent(),
        spec = this.spec;
      let [xl, xh] = extent.x;
      if (this.bars()) {
        const step = xh > xl ? smallest_step(this.shown()) : 1;
        ((xl -= step * 0.6), (xh += step * 0.6));
      } else if (this.log_x) {
        if (xl === xh) ((xl /= 2), (xh *= 2));
      } else {
        if (xl > 0 && xl < 0.4 * xh && !spec.x.tight) xl = 0;
        if (xl === xh) ((xl -= 0.5), (xh += 0.5));
        if (spec.series.some((one) => one.marks || one.draw === "points" || one.low)) xh += 0.02 * (xh - xl);
      }
      let [yl, yh] = extent.y;
      const cap = this.cap(extent);
      this.capped = cap !== null;
      if (this.log_y) {
        ((yl /= 1.2), (yh *= 1.25));
      } else {
        yh = cap ?? yh;
        yl = Math.min(0, yl);
        if (yl === yh) yh = yl + 1;
        yh += 0.06 * (yh - yl);
        if (yl < 0) yl -= 0.06 * (yh - yl);
      }
      if (finite(spec.y.high) && !this.log_y) yh = this.context.units.convert(spec.y.high, spec.y.quantity);
      return { x: [xl, xh], y: [yl, yh] };
    }

    /// Colour, dashes and marker of a series: the same in all figures.
    style(one) {
      const theme = this.context.theme(),
        count = theme.colours.length;
      if (one.spec.reference) return { colour: theme.soft, dash: [6, 5], marker: -1, width: 1.2 };
      if (this.spec.ramp) {
        return {
          colour: weft.ramp(one.spec.at ?? one.place / Math.max(1, this.all.length - 1), theme.dark),
          dash: one.spec.dash ? [6, 4] : [],
          marker: -1,
          width: 1.6,
        };
      }
      const place = one.spec.colour ?? (this.spec.own ? one.place : weft.place_of(one.spec.like ?? one.spec.label));
      const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
      return {
        colour: theme.colours[place % count],
        marker: place,
        width: 1.9,
        dash: one.spec.dash ? [6, 4] : dashes[Math.floor(place / count) % dashes.length],
      };
    }
    faded(one) {
      const selected = weft.selected;
      return (
        selected !== null && one.spec.label !== selected && this.all.some((other) => other.spec.label === selected)
      );
    }

    build() {
      this.toolbar();
      this.legend = weft.make("div", { class: "legend" });
      this.place = weft.make("div", { class: "plot", tabindex: "0", role: "img", "aria-label": this.description() });
      this.tip = weft.make("div", { class: "tip", hidden: true, role: "status" });
      this.element.replaceChildren(this.legend, this.place);
      this.draw();
      new ResizeObserver(() => {
        const width = this.place.clientWidth;
        if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
      }).observe(this.place);
      this.context.on_change(() => {
        this.convert();
        this.view = null;
        this.draw();
      });
      this.context.on_select(() => {
        this.fill_legend();
        this.plot.redraw(false);
      });
      weft.curve_keys(this);
      this.context.exports(this.element, {
        png: () => weft.curves_png(this),
        svg: () => weft.curves_svg(this),
        csv: () => this.csv(),
      });
    }
    description() {
      return (
        `${this.spec.title || "Curves"}: ${this.label(this.spec.y)} over ${this.label(this.spec.x)}; ` +
        "arrow keys walk along the points, plus and minus zoom, 0 shows all"
      );
    }
    label(axis) {
      const unit = axis.quantity ? this.context.units.label(axis.quantity) : axis.unit || "";
      return unit ? `${axis.label}, ${unit}` : axis.label;
    }

    toolbar() {
      const tools = this.element.closest("figure")?.querySelector(".figure-tools");
      if (!tools) return;
      const toggle = (name, text, title) =>
        weft.make(
          "button",
          {
            type: "button",
            title,
            "data-log": name,
            "aria-pressed": String(this[name]),
            onclick: (event) => {
              this[name] = !this[name];
              event.currentTarget.setAttribute("aria-pressed", String(this[name]));
              this.view = null;
              this.draw();
            },
          },
          text,
        );
      const positive = (values) => this.all.some((one) => one[values].some((value) => value > 0));
      if (!this.spec.x.names && positive("xs")) tools.append(toggle("log_x", "log x", "Logarithmic x axis (key X)"));
      if (!this.spec.stacked && positive("ys")) tools.append(toggle("log_y", "log y", "Logarithmic y axis (key Y)"));
      this.reset_button = weft.make(
        "button",
        {
          type: "button",
          title: "Show all (double click, key 0)",
          "data-reset": "",
          hidden: true,
          onclick: () => this.reset(),
        },
        "show all",
      );
      tools.append(this.reset_button);
    }
    reset() {
      // What a cap hides is seen by a second reset.
      const full = this.view === null && this.capped;
      this.view = null;
      if (full) {
        const extent = this.extent();
        this.view = { x: this.ranges().x, y: [0, 1.06 * extent.y[1]] };
      }
      this.draw();
    }
    zoomed() {
      this.reset_button.hidden = this.view === null && !this.capped;
      this.reset_button.textContent = this.view === null ? "full range" : "show all";
    }

    /// What markers and shades mean.
    keys() {
      const marks = this.all.reduce((sum, one) => sum | (one.spec.marks || []).reduce((a, b) => a | b, 0), 0);
      return [
        marks & 1 ? "○ saturated" : "",
        marks & 2 ? "✕ not converged" : "",
        this.all.some((one) => one.lows) ? "shaded: 95 % confidence" : "",
      ].filter((key) => key);
    }
    fill_legend() {
      const many = this.all.length > 1 || this.all.some((one) => one.spec.name);
      const parts = !many
        ? []
        : this.all.map((one) => {
            const style = this.style(one);
            return weft.make(
              "button",
              {
                type: "button",
                class: this.faded(one) ? "faded" : null,
                "aria-pressed": String(one.shown),
                title: "Click: on or off; double click or Alt: this one alone",
                "data-series": one.spec.label,
                onclick: (event) => this.toggle(one, event.altKey),
                ondblclick: () => this.toggle(one, true),
                onpointerenter: () => {
                  this.hover = one;
                  this.plot.redraw(false);
                },
                onpointerleave: () => {
                  this.hover = null;
                  this.plot.redraw(false);
                },
              },
              weft.swatch(style, one.spec.draw),
              weft.make("span", {}, one.spec.name || one.spec.label),
            );
          });
      for (const key of this.keys()) parts.push(weft.make("span", { class: "key" }, key));
      if (this.spec.ramp)
        parts.unshift(
          weft.make("span", { class: "key" }, weft.ramp_key(this.context.theme().dark), " " + this.spec.ramp),
        );
      this.legend.classList.toggle("long", this.all.length > 12);
      this.legend.replaceChildren(...parts);
    }
    toggle(one, alone) {
      if (alone) {
        const others = this.all.filter((other) => other !== one && !other.spec.reference);
        const is_alone = one.shown && others.every((other) => !other.shown);
        for (const other of others) other.shown = is_alone;
        one.shown = true;
      } else {
        one.shown = !one.shown;
      }
      if (this.spec.stacked) this.stack();
      this.draw();
    }

    draw() {
      this.plot?.destroy();
      this.tip.hidden = true;
      this.at = null;
      this.plot = weft.plot_of(this, height);
      this.fill_legend();
      this.zoomed();
    }

    csv() {
      const head = ["series", this.label(this.spec.x), this.label(this.spec.y)];
      const ends = this.all.some((one) => one.lows),
        marked = this.all.some((one) => one.spec.marks);
      const rows = [[...head, ...(ends ? ["low", "high"] : []), ...(marked ? ["saturated", "converged"] : [])]];
      for (const one of this.shown()) {
        for (let k = 0; k < one.xs.length; ++k) {
          const mark = one.spec.marks ? one.spec.marks[k] : 0;
          rows.push([
            one.spec.label,
            this.spec.x.names ? this.spec.x.names[k] : one.xs[k],
            one.ys[k],
            ...(ends ? (one.lows ? [one.lows[k], one.highs[k]] : ["", ""]) : []),
            ...(marked ? [mark & 1 ? "yes" : "no", mark & 2 ? "no" : "yes"] : []),
          ]);
        }
      }
      return weft.csv(rows);
    }
  }

  function smallest_step(all) {
    const xs = [...new Set(all.flatMap((one) => Array.from(one.xs)))].sort((a, b) => a - b);
    let step = Infinity;
    for (let k = 1; k < xs.length; ++k) step = Math.min(step, xs[k] - xs[k - 1]);
    return Number.isFinite(step) && step > 0 ? step : 1;
  }
  weft.smallest_step = smallest_step;

  weft.figure("curves", async (element, spec, context) => {
    element.curves = new Curves(element, spec, context, await load(spec));
  });
})();
