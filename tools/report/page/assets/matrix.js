// The figure "matrix": how much each sends to each, as a map; neighbours together where there are too many to see.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});
  const { node, number, ramp, ramp_legend, draw_ramp, choice, csv, varints } = weft.canvas;

  /// What rows and columns do, where the specification has no words of its own.
  const usual_words = { row: "sending", column: "receiving", rows: "sends", columns: "receives", strip: "sent",
    below: "received by each", from: "source", to: "destination" };
  const strip_px = 46, cell_px = 3, listed_pairs = 15;

  class MatrixModel {
    /// spec: side, what ("node"), values [{name, unit, block, weight}]: a value with a weight is a mean, weighted by
    /// another; words: as `usual_words`, if others.
    static async load(spec, context) {
      const model = new MatrixModel();
      const [pairs, gaps] = await Promise.all([
        context.block(spec.blocks.pairs.block),
        context.block(spec.blocks.gap.block)
      ]);
      model.spec = spec;
      model.words = { ...usual_words, ...spec.words };
      model.side = spec.side;
      model.first = new Uint32Array(spec.side + 1);
      for (let row = 0; row < spec.side; ++row) model.first[row + 1] = model.first[row] + pairs[row];
      model.count = model.first[spec.side];
      model.to = varints(gaps, model.count, (n) => new Uint32Array(n));
      for (let row = 0; row < spec.side; ++row) {
        let last = 0;
        for (let ix = model.first[row]; ix < model.first[row + 1]; ++ix) last = model.to[ix] += last;
      }
      model.values = await Promise.all(
        spec.values.map(async (value) => {
          const raw = await context.block(value.block);
          return raw instanceof Uint8Array ? varints(raw, model.count, (n) => new Float64Array(n)) : raw;
        })
      );
      model.sums = new Map();
      return model;
    }

    /// [row, index] of the largest values, the largest first.
    largest(value, count) {
      const list = this.values[value],
        best = [];
      for (let row = 0; row < this.side; ++row) {
        for (let ix = this.first[row]; ix < this.first[row + 1]; ++ix) {
          if (best.length === count && !(list[ix] > list[best[count - 1][1]])) continue;
          let at = best.length;
          while (at > 0 && list[best[at - 1][1]] < list[ix]) --at;
          best.splice(at, 0, [row, ix]);
          if (best.length > count) best.pop();
        }
      }
      return best;
    }

    weight(value) {
      return this.spec.values[value].weight === undefined ? null : this.values[this.spec.values[value].weight];
    }

    /// Sums (or means) of rows and of columns.
    sums_of(value) {
      if (this.sums.has(value)) return this.sums.get(value);
      const sent = new Float64Array(this.side),
        got = new Float64Array(this.side),
        list = this.values[value],
        weight = this.weight(value);
      const sent_weight = new Float64Array(this.side),
        got_weight = new Float64Array(this.side);
      let total = 0,
        total_weight = 0;
      for (let row = 0; row < this.side; ++row) {
        for (let ix = this.first[row]; ix < this.first[row + 1]; ++ix) {
          const w = weight ? weight[ix] : 1,
            v = list[ix] * w;
          sent[row] += v;
          got[this.to[ix]] += v;
          sent_weight[row] += w;
          got_weight[this.to[ix]] += w;
          total += v;
          total_weight += w;
        }
      }
      if (weight) {
        for (let ix = 0; ix < this.side; ++ix) {
          sent[ix] /= sent_weight[ix] || 1;
          got[ix] /= got_weight[ix] || 1;
        }
        total /= total_weight || 1;
      }
      const made = { sent, got, total };
      this.sums.set(value, made);
      return made;
    }

    /// Squares of `block` senders and receivers each, from row and column `row`, `column` on: sums (or means) and
    /// pairs.
    squares(value, block, row, column, rows, columns) {
      const sum = new Float64Array(rows * columns),
        pairs = new Uint32Array(rows * columns),
        list = this.values[value],
        weight = this.weight(value);
      const weights = weight ? new Float64Array(rows * columns) : null;
      const last = Math.min(this.side, (row + rows) * block);
      for (let from = row * block; from < last; ++from) {
        const line = (Math.floor(from / block) - row) * columns;
        for (let ix = this.first[from]; ix < this.first[from + 1]; ++ix) {
          const c = Math.floor(this.to[ix] / block) - column;
          if (c < 0 || c >= columns) continue;
          ++pairs[line + c];
          sum[line + c] += weight ? list[ix] * weight[ix] : list[ix];
          if (weights) weights[line + c] += weight[ix];
        }
      }
      if (weights) for (let at = 0; at < sum.length; ++at) sum[at] /= weights[at] || 1;
      return { value, block, row, column, rows, columns, sum, pairs };
    }
  }

  class MatrixView {
    constructor(model, state) {
      this.model = model;
      this.state = state;
    }

    draw(painter, stage) {
      const { model, state } = this, theme = stage.theme, [x0, y0, x1, y1] = stage.seen();
      let block = 1;
      while (block * stage.kx < cell_px && block < model.side) block *= 2;
      const blocks = Math.ceil(model.side / block), clamp = (v) => Math.min(blocks, Math.max(0, v));
      const column = clamp(Math.floor(x0 / block)), row = clamp(Math.floor(y0 / block));
      const columns = Math.max(1, clamp(Math.ceil(x1 / block)) - column),
        rows = Math.max(1, clamp(Math.ceil(y1 / block)) - row);
      const map = model.squares(state.value, block, row, column, rows, columns);
      let low = Infinity, high = 0;
      for (let at = 0; at < map.sum.length; ++at) {
        if (map.pairs[at] === 0) continue;
        high = Math.max(high, map.sum[at]);
        if (map.sum[at] > 0) low = Math.min(low, map.sum[at]);
      }
      if (!(high > 0)) [low, high] = [1, 1];
      this.map = map;
      this.range = [low, high];
      const colours = ramp(theme.dark), image = document.createElement("canvas");
      image.width = columns;
      image.height = rows;
      const pixels = image.getContext("2d").createImageData(columns, rows), words = new Uint32Array(pixels.data.buffer);
      for (let at = 0; at < words.length; ++at)
        if (map.pairs[at] > 0) words[at] = colours.words[colours.step(this.fraction(map.sum[at]))];
      image.getContext("2d").putImageData(pixels, 0, 0);
      painter.save();
      painter.beginPath();
      painter.rect(stage.padding.left, stage.padding.top, stage.inner_width, stage.inner_height);
      painter.clip();
      painter.imageSmoothingEnabled = false;
      const [x, y] = stage.to_screen(column * block, row * block);
      painter.drawImage(image, x, y, columns * block * stage.kx, rows * block * stage.ky);
      this.lines(painter, stage, theme, x0, y0, x1, y1);
      this.cross(painter, stage, theme);
      painter.restore();
      this.strips(painter, stage, theme);
      this.axes(painter, stage, theme);
      if (state.drawn) state.drawn();
    }

    /// Where on the ramp a value is.
    fraction(value) {
      const [low, high] = this.range;
      if (!this.state.log) return value / high;
      if (high <= low) return 1;
      return value <= 0 ? 0 : 0.04 + 0.96 * (Math.log(value / low) / Math.log(high / low));
    }

    lines(painter, stage, theme, x0, y0, x1, y1) {
      const { side } = this.model, [ax, ay] = stage.to_screen(0, 0), [bx, by] = stage.to_screen(side, side);
      painter.strokeStyle = theme.grid;
      painter.lineWidth = 1;
      if (stage.kx >= 14) {
        painter.globalAlpha = 0.5;
        painter.beginPath();
        for (let c = Math.max(0, Math.floor(x0)); c <= Math.min(side, Math.ceil(x1)); ++c) {
          painter.moveTo(c * stage.kx + stage.x, Math.max(0, ay));
          painter.lineTo(c * stage.kx + stage.x, Math.min(stage.height, by));
        }
        for (let r = Math.max(0, Math.floor(y0)); r <= Math.min(side, Math.ceil(y1)); ++r) {
          painter.moveTo(Math.max(0, ax), r * stage.ky + stage.y);
          painter.lineTo(Math.min(stage.width, bx), r * stage.ky + stage.y);
        }
        painter.stroke();
        painter.globalAlpha = 1;
      }
      painter.strokeRect(ax, ay, bx - ax, by - ay);
    }

    cross(painter, stage, theme) {
      const { hovered } = this.state;
      if (!hovered) return;
      const { block } = hovered,
        [x, y] = stage.to_screen(hovered.column * block, hovered.row * block),
        size = block * stage.kx;
      painter.strokeStyle = theme.foreground;
      painter.lineWidth = 1;
      painter.globalAlpha = 0.35;
      painter.beginPath();
      painter.moveTo(0, y + size / 2);
      painter.lineTo(stage.width, y + size / 2);
      painter.moveTo(x + size / 2, 0);
      painter.lineTo(x + size / 2, stage.height);
      painter.stroke();
      painter.globalAlpha = 1;
      painter.strokeRect(x, y, size, size);
    }

    /// Bars of what each sends (right) and receives (below).
    strips(painter, stage, theme) {
      const { model, state } = this,
        { sent, got } = model.sums_of(state.value),
        { block, row, column, rows, columns } = this.map;
      const mean = (list, at) => {
        let sum = 0;
        const end = Math.min(model.side, (at + 1) * block);
        for (let ix = at * block; ix < end; ++ix) sum += list[ix];
        return sum / Math.max(1, end - at * block);
      };
      const top = (list) => list.reduce((most, v) => Math.max(most, v), 0) || 1;
      const right = stage.width - stage.padding.right + 6, below = stage.height - stage.padding.bottom + 6;
      const most_sent = top(sent),
        most_got = top(got),
        size = block * stage.kx,
        bar = Math.max(1, size - (size > 4 ? 1 : 0));
      painter.fillStyle = theme.colours[0];
      painter.save();
      painter.beginPath();
      painter.rect(0, stage.padding.top, stage.width, stage.inner_height);
      painter.clip();
      for (let r = row; r < row + rows; ++r)
        painter.fillRect(right, r * size + stage.y, (mean(sent, r) / most_sent) * (strip_px - 10), bar);
      painter.restore();
      painter.save();
      painter.beginPath();
      painter.rect(stage.padding.left, 0, stage.inner_width, stage.height);
      painter.clip();
      for (let c = column; c < column + columns; ++c)
        painter.fillRect(c * size + stage.x, below, bar, (mean(got, c) / most_got) * (strip_px - 22));
      painter.restore();
    }

    axes(painter, stage, theme) {
      const { spec, side, words } = this.model, [x0, y0, x1, y1] = stage.seen();
      painter.font = "11px system-ui, sans-serif";
      painter.fillStyle = theme.foreground;
      const marks = (low, high, px) =>
        weft.canvas.ticks(Math.max(0, low), Math.min(side - 1, high - 1), px / 60).filter((v) => Number.isInteger(v));
      painter.textAlign = "right";
      painter.textBaseline = "middle";
      for (const v of marks(y0, y1, stage.inner_height))
        painter.fillText(number(v), stage.padding.left - 6, (v + 0.5) * stage.ky + stage.y);
      painter.textAlign = "center";
      painter.textBaseline = "bottom";
      for (const v of marks(x0, x1, stage.inner_width))
        painter.fillText(number(v), (v + 0.5) * stage.kx + stage.x, stage.padding.top - 4);
      painter.textAlign = "left";
      painter.textBaseline = "top";
      painter.fillText(`↓ ${words.row} ${spec.what}   → ${words.column} ${spec.what}`, stage.padding.left, 2);
      painter.textBaseline = "bottom";
      painter.globalAlpha = 0.7;
      painter.fillText(words.below, stage.padding.left, stage.height - 1);
      painter.textAlign = "right";
      painter.fillText(words.strip, stage.width - 4, stage.padding.top - 4);
      painter.globalAlpha = 1;
    }

    find(stage, px, py) {
      const [x, y] = stage.to_world(px, py), { block } = this.map, { side } = this.model;
      if (x < 0 || y < 0 || x >= side || y >= side || px < stage.padding.left || py < stage.padding.top) return null;
      return { row: Math.floor(y / block), column: Math.floor(x / block), block };
    }
  }

  async function render(element, spec, context) {
    const model = await MatrixModel.load(spec, context), { units } = context;
    const state = { value: 0, log: true, hovered: null, drawn: null };
    const view = new MatrixView(model, state);
    const value_text = (value, ix = state.value) => {
      const { unit, quantity } = spec.values[ix];
      return quantity
        ? `${number(Number(units.convert(value, quantity).toPrecision(6)))} ${units.label(quantity)}`
        : `${number(value)} ${unit}`;
    };
    const names = (at, block) => {
      const last = Math.min(model.side, (at + 1) * block) - 1,
        name = (ix) => (spec.names ? spec.names[ix] : `${spec.what} ${ix}`);
      return last === at * block ? name(last) : `${spec.what}s ${at * block} to ${last}`;
    };
    const stage = new weft.Stage(context, {
      label: `${spec.title || "Who sends to whom"}: ${model.side} by ${model.side}. Arrow keys move, + and - zoom, 0 ` +
        `shows all.`,
      height: (width) => Math.max(260, width),
      padding: { left: 46, right: strip_px, top: 36, bottom: strip_px },
      home: [0, 0, model.side, model.side],
      axes: "xy",
      drag: "pan",
      buttons_elsewhere: true,
      max_zoom: Math.max(2, model.side / 6),
      draw: (painter, on) => view.draw(painter, on),
      hover: (px, py) => {
        const found = view.find(stage, px, py),
          { map } = view,
          { sent, got } = model.sums_of(state.value);
        state.hovered = found;
        stage.redraw();
        stage.canvas.style.cursor = found ? "crosshair" : "grab";
        if (!found) return null;
        const at = (found.row - map.row) * map.columns + found.column - map.column,
          pairs = map.pairs[at];
        const lines = [
          `${names(found.row, found.block)} → ${names(found.column, found.block)}`,
          pairs > 0 ? value_text(map.sum[at]) : "nothing"
        ];
        if (found.block > 1)
          lines.push(`${number(pairs)} pair${pairs === 1 ? "" : "s"} of ${number(found.block * found.block)}`);
        else {
          for (let ix = 0; pairs > 0 && ix < spec.values.length; ++ix) {
            if (ix === state.value) continue;
            const one = model.squares(ix, 1, found.row, found.column, 1, 1);
            lines.push(`${spec.values[ix].name} ${value_text(one.sum[0], ix)}`);
          }
          lines.push(
            `${names(found.row, 1)} ${model.words.rows} ${value_text(sent[found.row])}`,
            `${names(found.column, 1)} ${model.words.columns} ${value_text(got[found.column])}`
          );
        }
        return lines;
      },
      left: () => {
        state.hovered = null;
        stage.redraw();
      },
      moved: () => (state.hovered = null),
      pick: (px, py) => view.map.block > 1 && view.find(stage, px, py) && stage.zoom(3, px, py)
    });
    const legend = ramp_legend(""), facts = node("p", { class: "soft" });
    const unit_of = ({ unit, quantity }) => (quantity ? units.label(quantity) : unit);
    const title = () => {
      const value = spec.values[state.value];
      return (
        `${value.name}${unit_of(value) === value.name ? "" : ` in ${unit_of(value)}`}` +
        (view.map && view.map.block > 1 ? `, squares of ${view.map.block} × ${view.map.block}` : "")
      );
    };
    const marks = () => {
      const [low, high] = view.range, list = [], { quantity } = spec.values[state.value];
      const text = (v, digits) => number(Number((quantity ? units.convert(v, quantity) : v).toPrecision(digits)));
      if (!state.log) return weft.canvas.ticks(0, high, 4).map((v) => [v / high, text(v, 6)]);
      if (high <= low) return [[1, text(high, 6)]];
      for (let at = 0; at <= 3; ++at)
        list.push([0.04 + 0.96 * (at / 3), text(low * (high / low) ** (at / 3), at % 3 === 0 ? 4 : 2)]);
      return list;
    };
    const list = node("div", {});
    let shown = "";
    state.drawn = () => {
      const now =
        `${view.range} ${state.log} ${state.value} ${units.label("time")} ` +
        `${stage.theme.dark} ${view.map.block}`;
      if (now === shown) return;
      shown = now;
      legend.update(stage.theme, marks(), title());
    };
    function refresh() {
      const { total } = model.sums_of(state.value);
      const sort = spec.values[state.value].weight === undefined ? "together" : "mean";
      facts.textContent =
        `${number(model.count)} of ${number(model.side * model.side)} pairs; ${sort} ${value_text(total)}.`;
      list.replaceChildren(
        node("h4", { text: "Largest pairs" }),
        node(
          "ol",
          { class: "weft-busiest" },
          ...model
            .largest(state.value, listed_pairs)
            .map(([row, ix]) =>
              node(
                "li",
                {},
                node("button", {
                  type: "button",
                  class: "weft-link",
                  text: `${names(row, 1)} → ${names(model.to[ix], 1)}`,
                  onclick: () => go(row, model.to[ix])
                }),
                node("span", { text: value_text(model.values[state.value][ix]) })
              )
            )
        )
      );
      stage.redraw();
    }
    /// Shows a pair among its neighbours.
    function go(row, column) {
      const near = Math.min(model.side / 2, 12);
      stage.show(column + 0.5 - near, row + 0.5 - near, column + 0.5 + near, row + 0.5 + near);
      state.hovered = { row, column, block: 1 };
      stage.canvas.focus({ preventScroll: true });
    }
    element.replaceChildren(
      node(
        "div",
        { class: "weft-picture" },
        node(
          "div",
          { class: "weft-controls" },
          legend.element,
          spec.values.length > 1
            ? choice(
                "show",
                spec.values.map((value, ix) => [String(ix), value.name]),
                "0",
                (value) => {
                  state.value = Number(value);
                  refresh();
                }
              )
            : null,
          choice(
            "colours",
            [
              ["log", "by logarithm"],
              ["linear", "linear"]
            ],
            "log",
            (value) => {
              state.log = value === "log";
              refresh();
            }
          ),
          stage.buttons
        ),
        node("div", { class: "weft-beside weft-square" }, stage.element, node("div", {}, facts, list))
      )
    );
    refresh();
    context.on_change(() => ((shown = ""), refresh()));
    const paint_legend = (painter, x, y, width) =>
      draw_ramp(painter, stage.theme, x, y, Math.min(420, width), title(), marks());
    context.exports(element, {
      png: () => stage.picture(spec.title, paint_legend, 48),
      svg: () => stage.svg(spec.title, paint_legend, 48),
      csv: () => csv([model.words.from, model.words.to, ...spec.values.map((value) => value.name)], pair_rows(model)),
    });
    element.figure = { stage, model, view, state };
  }

  function* pair_rows(model) {
    for (let row = 0; row < model.side; ++row)
      for (let ix = model.first[row]; ix < model.first[row + 1]; ++ix)
            yield [row, model.to[ix], ...model.values.map((list) => list[ix])];
  }

  weft.figure("matrix", render);
})();
