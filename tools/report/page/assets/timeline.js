// The figure "timeline": what each task did and when; any window, by wheel, drag and keys.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});
  const { node, number, percent, ticks, mixed, rgb, csv } = weft.canvas;

  const path_px = 0.7, path_tangled_px = 4, path_at = 0.82;  // below the names of records
  const row_px = { least: 3, usual: 16, few: 24, stacked: 6 };
  const more_colours = ["#84b01b", "#8c1d40", "#00a39b", "#e3b505", "#6b4423"];
  const most_height = 520, gap_px = 1, records_from_px = 3, text_from_px = 30, most_csv_records = 1000000;

  class TimelineView {
    constructor(model, state) {
      this.model = model;
      this.state = state;
    }

    /// A colour for each activity: those of the page, then others that no mixture of one of them with the background is
    /// like, then all of them again, paler.
    colours(theme) {
      if (this.coloured === theme) return this.list;
      const base = [...theme.colours, ...more_colours];
      this.coloured = theme;
      this.list = this.model.spec.activities.map((one, ix) =>
        ix < base.length
          ? base[ix]
          : mixed(base[ix % base.length], theme.background, 0.3 + 0.2 * (Math.floor(ix / base.length) % 3))
      );
      return this.list;
    }

    draw(painter, stage) {
      const { model, state } = this, theme = stage.theme, [x0, y0, x1, y1] = stage.seen();
      const first = Math.max(0, Math.floor(y0)), last = Math.min(model.rows, Math.ceil(y1));
      const from = Math.max(0, x0), to = Math.min(model.steps, x1);
      this.axes(painter, stage, theme, first, last);
      const width = Math.max(1, Math.round(stage.inner_width)), height = stage.ky;
      const bins = this.bins(first, last, height), lines = bins.length - 1;
      const { activities } = model, sums = new Float32Array(lines * width * activities);
      let looked = 0;
      for (let line = 0; line < lines; ++line)
        for (let row = bins[line]; row < bins[line + 1]; ++row)
          looked += model.accumulate(row, from, to, width, sums, line * width * activities);
      this.looked = looked;
      const together = lines < last - first;
      this.sums = { first, bins, lines, width, from, to, values: sums, last };
      this.share(sums, activities);
      const shown = looked / Math.max(1, lines) > width / records_from_px;
      painter.save();
      painter.beginPath();
      painter.rect(stage.padding.left, stage.padding.top, stage.inner_width, stage.inner_height);
      painter.clip();
      if (shown || together) this.draw_sums(painter, stage, theme);
      else this.draw_records(painter, stage, theme, first, last, from, to);
      if (model.path && state.path) this.draw_path(painter, stage, theme, from, to);
      this.draw_hovered(painter, stage, theme);
      painter.restore();
      this.fine = !(shown || together);
      if (state.shares) state.shares(this.shares);
    }

    /// The first row of each line of pixels, and the end. Rows thinner than row_px.least share lines: lanes those of
    /// their tasks, and as many tasks as a line needs to show shares above each other.
    bins(first, last, height) {
      const { model } = this,
        thin = height < row_px.least,
        least = model.several_lanes ? row_px.stacked : row_px.least,
        bins = [];
      for (let row = first; row < last; ++row) {
        const begins = !model.several_lanes || row === first || model.task[row] !== model.task[row - 1];
        if (!thin || !bins.length || (begins && (row - bins[bins.length - 1]) * height >= least)) bins.push(row);
      }
      return [...bins, last];
    }

    /// Of the tasks and the time that are seen.
    share(sums, activities) {
      const totals = new Float64Array(activities), { lines, from, to, first, last } = this.sums;
      for (let at = 0; at < sums.length; at += activities)
        for (let a = 0; a < activities; ++a) totals[a] += sums[at + a];
      const whole = (to - from) * Math.max(1, last - first);
      this.shares = Array.from(totals, (steps) => (lines > 0 && whole > 0 ? steps / whole : 0));
    }

    /// A column of pixels shows activities above each other, by their shares of its time; of thin lines mixed.
    draw_sums(painter, stage, theme) {
      const { first, last, bins, lines, width, values, from, to } = this.sums,
        { activities } = this.model,
        { state } = this;
      const colours = this.colours(theme).map(rgb),
        ground = rgb(theme.background),
        words = colours.map(([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r);
      const line_px = (stage.ky * (last - first)) / Math.max(1, lines),
        inside = Math.max(1, Math.round(line_px - (line_px > 5 ? gap_px : 0)));
      const image = document.createElement("canvas");
      image.width = width;
      image.height = lines * inside;
      const pixels = image.getContext("2d").createImageData(width, lines * inside),
        out = new Uint32Array(pixels.data.buffer);
      const step = (to - from) / width;
      for (let line = 0; line < lines; ++line) {
        const whole = step * this.model.tasks_in(bins[line], bins[line + 1]);
        for (let column = 0; column < width; ++column) {
          const at = (line * width + column) * activities;
          // What lanes did beside each other is more than the time of their task.
          let done = 0;
          for (let a = 0; a < activities; ++a) done += values[at + a];
          const full = Math.max(whole, done);
          if (inside < row_px.stacked) {
            const word = this.mixture(values, at, full, colours, ground);
            for (let top = 0; top < inside; ++top) out[(line * inside + top) * width + column] = word;
            continue;
          }
          let top = 0, sum = 0;
          for (let a = 0; a < activities; ++a) {
            if (state.hidden.has(a)) continue;
            sum += values[at + a];
            const bottom = Math.min(inside, Math.round((sum / full) * inside));
            for (; top < bottom; ++top) out[(line * inside + top) * width + column] = words[a];
          }
        }
      }
      image.getContext("2d").putImageData(pixels, 0, 0);
      painter.imageSmoothingEnabled = false;
      const [x, y] = stage.to_screen(from, first);
      const gap = inside === Math.round(line_px) ? 0 : gap_px;
      if (gap === 0 && lines === last - first)
        return painter.drawImage(image, x, y, (to - from) * stage.kx, lines * line_px);
      for (let line = 0; line < lines; ++line)
        painter.drawImage(
          image,
          0,
          line * inside,
          width,
          inside,
          x,
          y + (bins[line] - first) * stage.ky + gap / 2,
          (to - from) * stage.kx,
          (bins[line + 1] - bins[line]) * stage.ky - gap
        );
    }

    mixture(values, at, full, colours, ground) {
      let red = 0, green = 0, blue = 0, rest = 1;
      for (let a = 0; a < colours.length; ++a) {
        if (values[at + a] === 0 || this.state.hidden.has(a)) continue;
        const share = values[at + a] / full;
        red += share * colours[a][0];
        green += share * colours[a][1];
        blue += share * colours[a][2];
        rest -= share;
      }
      if (rest > 0) {
        red += rest * ground[0];
        green += rest * ground[1];
        blue += rest * ground[2];
      }
      return (255 << 24) | (Math.min(255, blue) << 16) | (Math.min(255, green) << 8) | Math.min(255, red);
    }

    draw_records(painter, stage, theme, first, last, from, to) {
      const { model, state } = this,
        colours = this.colours(theme),
        inside = Math.max(1, stage.ky - (stage.ky > 4 ? gap_px : 0));
      const names = model.spec.activities, paper = colours.map((css) => {
        const [r, g, b] = rgb(css);
        return 0.299 * r + 0.587 * g + 0.114 * b > 150 ? "#111" : "#fff";
      });
      painter.font = `${Math.min(12, Math.max(9, inside * 0.62))}px system-ui, sans-serif`;
      painter.textBaseline = "middle";
      painter.textAlign = "left";
      for (let row = first; row < last; ++row) {
        const y = row * stage.ky + stage.y + (stage.ky - inside) / 2;
        model.each(row, from, to, (ix) => {
          const a = model.activity[ix];
          if (state.hidden.has(a)) return;
          const left = Math.max(stage.padding.left, model.begin[ix] * stage.kx + stage.x);
          const right = Math.min(stage.width - stage.padding.right, model.end[ix] * stage.kx + stage.x),
            w = right - left;
          painter.fillStyle = colours[a];
          painter.fillRect(left, y, Math.max(0.7, w - (w > 6 ? 0.7 : 0)), inside);
          if (w < text_from_px || inside < 10) return;
          const name = names[a].name;
          if (painter.measureText(name).width > w - 8) return;
          painter.fillStyle = paper[a];
          painter.fillText(name, left + 4, y + inside / 2 + 0.5);
        });
      }
    }

    /// Along rows, and across them where a message was in flight; what a pixel cannot show is left out.
    draw_path(painter, stage, theme, from, to) {
      const { model } = this, { path } = model, middle = (task) => (model.row_of(task) + path_at) * stage.ky + stage.y;
      const first = model.path_at(from);
      let last = first;
      while (last < path.begin.length && path.begin[last] < to) ++last;
      const lines = () => {
        let last_x = -Infinity, last_row = -1;
        painter.beginPath();
        for (let ix = first; ix < last; ++ix) {
          const left = path.begin[ix] * stage.kx + stage.x, right = path.end[ix] * stage.kx + stage.x;
          if (right - last_x < path_px && path.task[ix] === last_row) continue;
          painter.moveTo(Math.max(left, -10), middle(path.from[ix]));
          painter.lineTo(right, middle(path.task[ix]));
          [last_x, last_row] = [right, path.task[ix]];
        }
        painter.stroke();
      };
      // Where it is a tangle, thin and faint, without the edge that sets it off.
      const tangled = last - first > stage.inner_width / path_tangled_px,
        wide = tangled ? 1 : Math.max(1, Math.min(3, stage.ky / 5));
      painter.lineJoin = painter.lineCap = "round";
      if (tangled) {
        painter.globalAlpha = 0.6;
      } else {
        painter.strokeStyle = theme.background;
        painter.lineWidth = wide + 2;
        lines();
      }
      painter.strokeStyle = theme.foreground;
      painter.lineWidth = wide;
      lines();
      painter.globalAlpha = 1;
    }

    draw_hovered(painter, stage, theme) {
      const { hovered } = this.state, { model } = this;
      if (!hovered || hovered.record < 0) return;
      const [x, y] = stage.to_screen(model.begin[hovered.record], hovered.row);
      painter.strokeStyle = theme.foreground;
      painter.lineWidth = 1.5;
      painter.strokeRect(
        x,
        y + 0.5,
        Math.max(2, (model.end[hovered.record] - model.begin[hovered.record]) * stage.kx),
        Math.max(2, stage.ky - 1)
      );
    }

    axes(painter, stage, theme, first, last) {
      const { model } = this,
        { units } = this.state,
        bottom = stage.height - stage.padding.bottom,
        { left } = stage.padding;
      const [x0, , x1] = stage.seen(), unit = units.convert(1, "time");
      painter.font = "11px system-ui, sans-serif";
      painter.strokeStyle = theme.grid;
      painter.lineWidth = 1;
      painter.fillStyle = theme.foreground;
      painter.textAlign = "center";
      painter.textBaseline = "top";
      const low = model.cycles(x0) * unit, high = model.cycles(x1) * unit;
      const marks = marks_that_fit(painter, low, high, stage.inner_width), span = high - low;
      for (const mark of marks) {
        const x = ((mark / unit - model.spec.origin) / model.spec.quantum) * stage.kx + stage.x;
        painter.beginPath();
        painter.moveTo(x, stage.padding.top);
        painter.lineTo(x, bottom + 4);
        painter.stroke();
        if (x > left + 12 && x < stage.width - 20) painter.fillText(digits(mark, span), x, bottom + 6);
      }
      painter.textAlign = "right";
      painter.fillText(units.label("time"), stage.width - 6, bottom + 20);
      painter.textBaseline = "middle";
      const every = Math.max(1, Math.ceil(13 / stage.ky)),
        nice =
          every === 1
            ? 1
            : [1, 2, 4, 5, 8, 10].map((k) => k * 10 ** Math.floor(Math.log10(every))).find((k) => k >= every) || every;
      for (let row = Math.ceil(first / nice) * nice; row < last; row += nice) {
        const y = (row + (nice === 1 ? 0.5 : Math.min(0.5, 6 / stage.ky))) * stage.ky + stage.y;
        if (y < stage.padding.top + 4 || y > bottom - 3) continue;
        painter.fillText(
          fitting(painter, stage.ky < row_px.least ? model.task_name(row) : model.row_name(row), left - 10),
          left - 6,
          y
        );
      }
    }

    /// {row, record} at a point, or null.
    find(stage, px, py) {
      const [step, y] = stage.to_world(px, py), row = Math.floor(y);
      if (
        px < stage.padding.left ||
        px > stage.width - stage.padding.right ||
        row < 0 ||
        row >= this.model.rows ||
        step < 0 ||
        step >= this.model.steps
      )
        return null;
      const record = this.model.record_at(row, step);
      return { row, step, record: record >= 0 && this.state.hidden.has(this.model.activity[record]) ? -1 : record };
    }
  }

  const digits = (value, span) => {
    const places = Math.max(0, Math.min(6, Math.ceil(1 - Math.log10(Math.max(span, 1e-9))) + 1));
    return Number(value.toFixed(places)).toLocaleString("en-US", { maximumFractionDigits: places });
  };
  /// As many marks of the scale as their labels leave space for.
  function marks_that_fit(painter, low, high, width) {
    for (let most = Math.max(2, width / 95); ; most = most * 0.75) {
      const marks = ticks(low, high, most),
        apart = marks.length > 1 ? ((marks[1] - marks[0]) / (high - low)) * width : width;
      const wide = Math.max(...marks.map((mark) => painter.measureText(digits(mark, high - low)).width));
      if (marks.length < 3 || wide + 10 <= apart || most < 2) return marks;
    }
  }
  function fitting(painter, text, width) {
    if (painter.measureText(text).width <= width) return text;
    let kept = text;
    while (kept.length > 1 && painter.measureText(kept + "…").width > width) kept = kept.slice(0, -1);
    return kept + "…";
  }

  async function render(element, spec, context) {
    const model = await weft.TimelineModel.load(spec, context), { units } = context;
    model.several_lanes = model.lane.some((lane) => lane > 0);
    const state = { hidden: new Set(), hovered: null, units, shares: null, path: true };
    const view = new TimelineView(model, state);
    let longest = 0;
    for (let row = 0; row < Math.min(model.rows, 200); ++row) longest = Math.max(longest, model.row_name(row).length);
    const row_height = Math.max(
      row_px.least,
      Math.min(model.rows <= 20 ? row_px.few : row_px.usual, most_height / Math.max(1, model.rows))
    );
    const text = (value) => `${number(Number(units.convert(value, "time").toPrecision(9)))} ${units.label("time")}`;

    const stage = new weft.Stage(context, {
      label: `${spec.title || "Timeline"} of ${model.rows} rows. + and - zoom, arrows move, shift with + and - ` +
        `changes the height of rows, 0 shows all.`,
      height: () => Math.min(most_height, Math.max(60, model.rows * row_height)) + 42,
      padding: { left: Math.min(window.innerWidth < 600 ? 84 : 150, 14 + 6.4 * longest), right: 8, top: 6, bottom: 36 },
      home: [0, 0, model.steps, model.rows],
      axes: "free",
      drag: "select",
      buttons_elsewhere: true,
      max_zoom: Math.max(8, model.steps / 20),
      draw: (painter, on) => view.draw(painter, on),
      hover: (px, py) => {
        const found = view.find(stage, px, py),
          before = state.hovered;
        state.hovered = found && view.fine ? found : null;
        if ((before && before.record) !== (state.hovered && state.hovered.record)) stage.redraw();
        stage.canvas.style.cursor = "crosshair";
        if (!found) return null;
        const lines = [model.row_name(found.row)];
        if (found.record < 0) return [...lines, `nothing recorded at ${text(model.cycles(found.step))}`];
        const begin = model.begin[found.record],
          end = model.end[found.record];
        const whom = model.waits_for(found.record),
          what = spec.activities[model.activity[found.record]].name;
        return [
          ...lines,
          whom ? `${what}: waits for ${whom}` : what,
          `for ${text((end - begin) * spec.quantum)}`,
          `from ${text(model.cycles(begin))} to ${text(model.cycles(end))}`
        ];
      },
      left: () => {
        state.hovered = null;
        stage.redraw();
      },
      pick: (px, py) => {
        // A record that is too narrow to be read fills a third of the window.
        const found = view.find(stage, px, py);
        if (!found || found.record < 0) return;
        const [, y0, , y1] = stage.seen(),
          begin = model.begin[found.record],
          end = model.end[found.record];
        if ((end - begin) * stage.kx < 40) stage.show(begin - (end - begin), y0, end + (end - begin), y1);
      }
    });

    const shares = node("div", {
      class: "weft-shares",
      role: "group",
      "aria-label": "Activities; press to hide or show"
    });
    const buttons = spec.activities.map((activity, a) => {
      const swatch = node("i"), share = node("span");
      const button = node(
        "button",
        {
          type: "button",
          "aria-pressed": "true",
          title: "hide or show; double-click: alone",
          onclick: () => toggle(a),
          ondblclick: () => alone(a)
        },
        swatch,
        node("span", { class: "name", text: activity.name }),
        share
      );
      shares.append(button);
      return { button, swatch, share };
    });
    const idle = node("span", {});
    shares.append(idle);
    if (model.path) {
      const path = node("button", { type: "button", "aria-pressed": "true", title: "hide or show",
        onclick: () => {
          state.path = !state.path;
          path.setAttribute("aria-pressed", String(state.path));
          stage.redraw();
        } }, node("span", { class: "name", text: "critical path" }));
      shares.append(path);
    }
    shares.append(stage.buttons);
    function pressed() {
      buttons.forEach(({ button }, a) => button.setAttribute("aria-pressed", String(!state.hidden.has(a))));
      stage.redraw();
    }
    function toggle(a) {
      if (!state.hidden.delete(a)) state.hidden.add(a);
      pressed();
    }
    function alone(a) {
      const others = spec.activities.map((one, ix) => ix).filter((ix) => ix !== a),
        only = others.every((ix) => state.hidden.has(ix));
      state.hidden = new Set(only ? [] : others);
      pressed();
    }
    const seen = node("p", { class: "soft" });
    state.shares = (list) => {
      const { from, to, first, last } = view.sums;
      list.forEach((share, a) => (buttons[a].share.textContent = percent(share)));
      const rest = 1 - list.reduce((sum, share) => sum + share, 0);
      idle.textContent = rest > 0.0005 ? `nothing recorded ${percent(rest)}` : "";
      seen.textContent =
        `Seen: ${number(last - first)} of ${number(model.rows)} rows, ${text(model.cycles(from))} to ` +
        `${text(model.cycles(to))}; ${number(model.records)} records in all. ` +
        "Drag a window or turn the wheel to zoom (shift: rows), shift and drag to move, double-click to see all.";
    };
    element.replaceChildren(node("div", { class: "weft-picture" }, shares, stage.element, seen));
    function refresh() {
      view.coloured = null;
      const list = view.colours(stage.theme);
      buttons.forEach(({ swatch }, a) => (swatch.style.background = list[a]));
      stage.redraw();
    }
    refresh();
    context.on_change(refresh);

    const legend = (painter, x, y, width) => {
      const list = view.colours(stage.theme);
      let at = x, line = y;
      painter.textBaseline = "top";
      painter.textAlign = "left";
      spec.activities.forEach((activity, a) => {
        if (state.hidden.has(a)) return;
        const label = `${activity.name} ${percent(view.shares[a])}`, wide = painter.measureText(label).width + 34;
        if (at + wide > x + width) [at, line] = [x, line + 18];
        painter.fillStyle = list[a];
        painter.fillRect(at, line + 2, 11, 11);
        painter.fillStyle = stage.theme.foreground;
        painter.fillText(label, at + 16, line + 1);
        at += wide;
      });
    };
    const legend_height = () => 24 + 18 * Math.floor((spec.activities.length * 130) / Math.max(300, stage.width));
    context.exports(element, {
      png: () => stage.picture(spec.title, legend, legend_height()),
      svg: () => stage.svg(spec.title, legend, legend_height()),
      csv: () =>
        csv(
          [
            "task",
            "lane",
            "activity",
            ...(model.peer ? ["waits_for"] : []),
            `begin_${units.label("time")}`,
            `end_${units.label("time")}`
          ],
          seen_rows()
        )
    });
    /// Records in the window, as many as a spreadsheet takes.
    function seen_rows() {
      const rows = [], { from, to, first, last } = view.sums;
      for (let row = first; row < last && rows.length < most_csv_records; ++row)
        model.each(
          row,
          from,
          to,
          (ix) =>
            rows.length < most_csv_records &&
            rows.push([
              model.task[row],
              model.lane[row],
              spec.activities[model.activity[ix]].name,
              ...(model.peer ? [model.waits_for(ix)] : []),
              units.convert(model.cycles(model.begin[ix]), "time"),
              units.convert(model.cycles(model.end[ix]), "time")
            ])
        );
      return rows;
    }
    element.figure = { stage, model, view, state };
  }

  weft.figure("timeline", render);
})();
