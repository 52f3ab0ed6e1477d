// What lies under the pointer, and curves by keyboard.
(function () {
  "use strict";
  const weft = window.weft;

  /// Index of the value that is nearest; values rise.
  function nearest(values, value) {
    let low = 0,
      high = values.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (values[middle] < value) low = middle;
      else high = middle;
    }
    return Math.abs(values[low] - value) <= Math.abs(values[high] - value) ? low : high;
  }

  /// The point next to a place of the plot, {one, k}, or null.
  function closest(curves, left, top) {
    const plot = curves.plot,
      value = plot.posToVal(left, "x");
    let best = null,
      least = Infinity;
    for (const one of curves.shown()) {
      if (one.xs.length === 0) continue;
      const path = one.spec.draw === "path",
        at = path ? 0 : nearest(one.xs, value);
      for (let k = Math.max(0, at - 2); k <= (path ? one.xs.length - 1 : Math.min(one.xs.length - 1, at + 2)); ++k) {
        if (!Number.isFinite(one.ys[k])) continue;
        const x = plot.valToPos(one.xs[k], "x"),
          y = plot.valToPos(one.top ? one.top[k] : one.ys[k], "y");
        // Bars and long curves are looked for by x first.
        const distance = Math.hypot(x - left, (y - top) * (one.spec.draw === "bars" ? 0.3 : 0.7));
        if (distance < least && (distance < 60 || one.spec.draw === "bars" || one.xs.length > 60))
          ((least = distance), (best = { one, k }));
      }
    }
    return best;
  }

  function rows(curves, at) {
    const { one, k } = at,
      spec = curves.spec;
    const unit = (axis) => (axis.quantity ? curves.context.units.label(axis.quantity) : axis.unit || "");
    const x = spec.x.names ? (spec.x.names[k] ?? String(one.xs[k])) : `${weft.number(one.xs[k], 5)} ${unit(spec.x)}`;
    let y = `${weft.number(one.ys[k], 5)} ${unit(spec.y)}`;
    if (one.highs && Number.isFinite(one.highs[k])) y += ` ± ${weft.number(one.highs[k] - one.ys[k], 2)}`;
    const mark = one.spec.marks ? one.spec.marks[k] : 0;
    return [
      one.spec.name || one.spec.label,
      `${spec.x.label}: ${x}`,
      `${spec.y.label}: ${y}`,
      one.spec.notes ? one.spec.notes[k] : "",
      mark & 1 ? "saturated: the network did not take what was offered" : "",
      mark & 2 ? "not converged to a steady state" : "",
    ];
  }

  function show(curves, at) {
    const tip = curves.tip,
      plot = curves.plot;
    curves.at = at;
    if (!at) {
      tip.hidden = true;
      return;
    }
    const [name, ...lines] = rows(curves, at);
    tip.replaceChildren(
      weft.make("b", {}, name),
      ...lines.filter((line) => line).map((line) => weft.make("div", {}, line)),
    );
    tip.style.setProperty("--mark", curves.style(at.one).colour);
    tip.hidden = false;
    const over = plot.over,
      x = plot.valToPos(at.one.xs[at.k], "x"),
      y = plot.valToPos(at.one.top ? at.one.top[at.k] : at.one.ys[at.k], "y");
    const left = over.offsetLeft + x,
      width = curves.place.clientWidth;
    tip.style.left =
      Math.max(
        2,
        Math.min(
          width - tip.offsetWidth - 2,
          left + 12 + tip.offsetWidth > width ? left - tip.offsetWidth - 12 : left + 12,
        ),
      ) + "px";
    tip.style.top =
      Math.max(0, over.parentElement.offsetTop + over.offsetTop + Math.max(0, y) - tip.offsetHeight - 8) + "px";
    dot(curves, x, y);
  }
  function dot(curves, x, y) {
    const over = curves.plot.over;
    let mark = over.querySelector(".dot");
    if (!mark) over.append((mark = weft.make("i", { class: "dot" })));
    mark.style.transform = `translate(${x}px,${y}px)`;
    mark.style.setProperty("--mark", curves.style(curves.at.one).colour);
    mark.hidden = y < 0;
  }

  weft.hover_curves = (curves) => {
    const plot = curves.plot;
    if (!plot) return;
    const { left, top } = plot.cursor;
    if (left < 0) {
      curves.tip.hidden = true;
      plot.over.querySelector(".dot")?.remove();
      return;
    }
    show(curves, closest(curves, left, top));
  };

  function zoom(curves, by, shift = 0) {
    const plot = curves.plot,
      scale = plot.scales.x,
      log = curves.log_x;
    const to = (value) => (log ? Math.log(value) : value),
      back = (value) => (log ? Math.exp(value) : value);
    const low = to(scale.min),
      high = to(scale.max),
      middle = (low + high) / 2 + shift * (high - low),
      half = ((high - low) / 2) * by;
    plot.setScale("x", { min: back(middle - half), max: back(middle + half) });
  }
  function walk(curves, series, step) {
    const shown = curves.shown().filter((one) => one.ys.some(Number.isFinite));
    if (shown.length === 0) return;
    let at = curves.at || { one: shown[0], k: -1 };
    if (series !== 0) {
      const one = shown[(shown.indexOf(at.one) + series + shown.length) % shown.length];
      at = { one, k: nearest(one.xs, at.k >= 0 ? at.one.xs[at.k] : one.xs[0]) };
    } else {
      let k = at.k + step;
      while (k >= 0 && k < at.one.xs.length && !Number.isFinite(at.one.ys[k])) k += step;
      if (k < 0 || k >= at.one.xs.length) return;
      at = { one: at.one, k };
    }
    show(curves, at);
  }

  const presses = (tools, name) => tools?.querySelector(`[data-log="${name}"]`)?.click();
  weft.curve_keys = (curves) => {
    const tools = curves.element.closest("figure")?.querySelector(".figure-tools");
    const keys = {
      "+": () => zoom(curves, 0.5),
      "=": () => zoom(curves, 0.5),
      "-": () => zoom(curves, 2),
      0: () => curves.reset(),
      ArrowLeft: (event) => (event.shiftKey ? zoom(curves, 1, -0.25) : walk(curves, 0, -1)),
      ArrowRight: (event) => (event.shiftKey ? zoom(curves, 1, 0.25) : walk(curves, 0, 1)),
      ArrowUp: () => walk(curves, -1, 0),
      ArrowDown: () => walk(curves, 1, 0),
      x: () => presses(tools, "log_x"),
      y: () => presses(tools, "log_y"),
      Enter: () => curves.at && weft.select(curves.at.one.spec.label),
    };
    curves.place.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key](event);
    });
    // A click selects the series under the pointer in all figures; a drag zooms.
    let pressed = null;
    curves.place.addEventListener("pointerdown", (event) => {
      pressed = [event.clientX, event.clientY];
    });
    curves.place.addEventListener("click", (event) => {
      const moved = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 5;
      if (!moved && event.detail === 1 && curves.at && !curves.tip.hidden) weft.select(curves.at.one.spec.label);
    });
  };
})();
