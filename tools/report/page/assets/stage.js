// A canvas with a view that is zoomed and moved by wheel, pointer, touch and keys; what a figure draws is its own.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});
  const { node } = weft.canvas;

  let last_scroll = -1e9;
  addEventListener("scroll", () => (last_scroll = performance.now()), { passive: true, capture: true });

  const scroll_rest_ms = 250;  // a wheel that turns while the page scrolls belongs to the page
  const click_px = 5;

  /// options: label, height(width), draw(painter, stage), drag "pan" | "select", axes "xy" (one scale) | "free",
  /// max_zoom, buttons_elsewhere (the figure puts stage.buttons where it wants),
  /// padding {left, right, top, bottom} of what is not zoomed; hover(x, y) -> lines of text or null, pick(x, y),
  /// key(event) -> handled, moved(). World coordinates are the figure's; `home` [x0, y0, x1, y1] is what fits at first.
  class Stage {
    constructor(context, options) {
      this.context = context;
      this.options = options;
      this.padding = options.padding || { left: 0, right: 0, top: 0, bottom: 0 };
      this.home = options.home;
      this.canvas = node("canvas", { tabindex: 0, role: "img", "aria-label": options.label });
      this.tip = node("div", { class: "weft-tip", role: "status", "aria-live": "polite", hidden: true });
      this.band = node("div", { class: "weft-band", hidden: true });
      const button = (text, label, action) =>
        node("button", { type: "button", text, title: label, "aria-label": label, onclick: action });
      this.buttons = node(
        "div",
        { class: "weft-zoom" },
        button("+", "zoom in", () => this.zoom(1.6)),
        button("−", "zoom out", () => this.zoom(1 / 1.6)),
        button("⤢", "show all", () => this.reset())
      );
      this.element = node(
        "div",
        { class: "weft-stage" },
        this.canvas,
        this.band,
        options.buttons_elsewhere ? null : this.buttons,
        this.tip
      );
      this.pointers = new Map();
      this.frame = 0;
      this.fitted = true;
      this.listen();
      new ResizeObserver(() => this.resize()).observe(this.element);
      this.resize();
    }

    get theme() { return this.context.theme(); }
    get inner_width() { return this.width - this.padding.left - this.padding.right; }
    get inner_height() { return this.height - this.padding.top - this.padding.bottom; }

    resize() {
      const width = Math.max(200, Math.floor(this.element.clientWidth)),
        height = Math.round(this.options.height(width));
      if (width === this.width && height === this.height) return;
      const centre = this.width && !this.fitted ? this.to_world(this.width / 2, this.height / 2) : null;
      this.width = width;
      this.height = height;
      const dense = Math.min(3, window.devicePixelRatio || 1);
      this.canvas.width = Math.round(width * dense);
      this.canvas.height = Math.round(height * dense);
      this.canvas.style.height = `${height}px`;
      this.dense = dense;
      if (centre) {
        this.x = width / 2 - centre[0] * this.kx;
        this.y = height / 2 - centre[1] * this.ky;
        this.limit();
      } else this.fit();
      // At once: what was drawn is gone, and a page that is printed waits for no frame.
      if (this.drawn) this.paint();
      else this.redraw();
    }

    /// Shows all of `home`.
    fit() {
      const [x0, y0, x1, y1] = this.home;
      const kx = this.inner_width / Math.max(1e-9, x1 - x0), ky = this.inner_height / Math.max(1e-9, y1 - y0);
      this.kx = this.options.axes === "free" ? kx : Math.min(kx, ky);
      this.ky = this.options.axes === "free" ? ky : this.kx;
      this.home_kx = this.kx;
      this.home_ky = this.ky;
      this.x = this.padding.left + (this.inner_width - (x0 + x1) * this.kx) / 2;
      this.y = this.padding.top + (this.inner_height - (y0 + y1) * this.ky) / 2;
      this.fitted = true;
    }

    reset() {
      this.fit();
      this.changed();
    }

    changed() {
      this.hide_tip();
      if (this.options.moved) this.options.moved();
      this.canvas.style.touchAction = this.fitted ? "pan-y" : "none";
      this.redraw();
    }

    to_world(px, py) { return [(px - this.x) / this.kx, (py - this.y) / this.ky]; }
    to_screen(x, y) { return [x * this.kx + this.x, y * this.ky + this.y]; }
    /// World coordinates that can be seen: [x0, y0, x1, y1].
    seen() {
      const [x0, y0] = this.to_world(this.padding.left, this.padding.top);
      const [x1, y1] = this.to_world(this.width - this.padding.right, this.height - this.padding.bottom);
      return [x0, y0, x1, y1];
    }

    /// Zooms about a point of the canvas, its middle without; `which`: "x", "y" or both.
    zoom(factor, px, py, which) {
      px = px ?? this.padding.left + this.inner_width / 2;
      py = py ?? this.padding.top + this.inner_height / 2;
      const clamp = (k, home) => Math.min(home * this.options.max_zoom, Math.max(home, k));
      const along = which || (this.options.axes === "free" ? "x" : "xy");
      const [wx, wy] = this.to_world(px, py);
      if (along !== "y") this.kx = clamp(this.kx * factor, this.home_kx);
      if (along !== "x") this.ky = clamp(this.ky * factor, this.home_ky);
      this.x = px - wx * this.kx;
      this.y = py - wy * this.ky;
      this.limit();
      this.changed();
    }

    pan(dx, dy) {
      this.x += dx;
      this.y += dy;
      this.limit();
      this.changed();
    }

    /// Shows [x0, y0, x1, y1] of the world.
    show(x0, y0, x1, y1) {
      const free = this.options.axes === "free";
      const kx = Math.min(this.home_kx * this.options.max_zoom, this.inner_width / Math.max(1e-12, x1 - x0));
      const ky = Math.min(this.home_ky * this.options.max_zoom, this.inner_height / Math.max(1e-12, y1 - y0));
      this.kx = Math.max(this.home_kx, free ? kx : Math.min(kx, ky));
      this.ky = Math.max(this.home_ky, free ? ky : this.kx);
      this.x = this.padding.left + this.inner_width / 2 - ((x0 + x1) / 2) * this.kx;
      this.y = this.padding.top + this.inner_height / 2 - ((y0 + y1) / 2) * this.ky;
      this.limit();
      this.changed();
    }

    /// Nobody loses the picture: what there is stays in sight.
    limit() {
      const [x0, y0, x1, y1] = this.home;
      const within = (at, k, low, high, first, room) => {
        const size = (high - low) * k;
        if (size <= room) return first + (room - size) / 2 - low * k;
        return Math.min(first - low * k, Math.max(first + room - high * k, at));
      };
      this.x = within(this.x, this.kx, x0, x1, this.padding.left, this.inner_width);
      this.y = within(this.y, this.ky, y0, y1, this.padding.top, this.inner_height);
      this.fitted = this.kx <= this.home_kx * 1.0001 && this.ky <= this.home_ky * 1.0001;
    }

    redraw() {
      if (this.frame) return;
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.paint();
      });
    }

    paint() {
      this.drawn = true;
      const painter = this.canvas.getContext("2d"), begin = performance.now();
      painter.setTransform(this.dense, 0, 0, this.dense, 0, 0);
      painter.clearRect(0, 0, this.width, this.height);
      this.options.draw(painter, this);
      this.last_paint_ms = performance.now() - begin;
    }

    // Input.
    listen() {
      const at = (event) => {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
      };
      this.canvas.addEventListener("wheel", (event) => {
        const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : event.deltaMode === 2 ? 1 : 0.0022));
        const scrolls = performance.now() - last_scroll < scroll_rest_ms;
        if (!event.ctrlKey && (scrolls || (this.fitted && factor < 1))) return;
        event.preventDefault();
        const [px, py] = at(event);
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey) return this.pan(-event.deltaX, 0);
        const turned = event.shiftKey && event.deltaY === 0 ? Math.exp(-event.deltaX * 0.0022) : factor;
        this.zoom(turned, px, py, this.options.axes === "free" && event.shiftKey ? "y" : undefined);
      }, { passive: false });
      this.canvas.addEventListener("pointerdown", (event) => {
        if (event.button > 1) return;
        this.canvas.setPointerCapture(event.pointerId);
        const [px, py] = at(event);
        this.pointers.set(event.pointerId, { px, py, x0: px, y0: py });
        this.still = this.pointers.size === 1;
        const select =
          this.options.drag === "select" && event.pointerType === "mouse" && event.button === 0 && !event.shiftKey;
        this.selecting = select && this.pointers.size === 1 ? px : null;
      });
      this.canvas.addEventListener("pointermove", (event) => {
        const [px, py] = at(event);
        const pointer = this.pointers.get(event.pointerId);
        if (!pointer) return this.show_tip(px, py);
        if (Math.hypot(px - pointer.x0, py - pointer.y0) > click_px) this.still = false;
        if (this.pointers.size === 1) this.dragged(pointer, px, py);
        else this.pinched(event.pointerId, px, py);
        pointer.px = px;
        pointer.py = py;
      });
      const end = (event) => {
        const pointer = this.pointers.get(event.pointerId);
        if (!pointer) return;
        this.pointers.delete(event.pointerId);
        const [px, py] = at(event);
        this.band.hidden = true;
        if (event.type === "pointercancel") return;
        if (this.still) {
          if (event.pointerType !== "mouse") this.show_tip(px, py);
          if (this.options.pick) this.options.pick(px, py, event);
        } else if (this.selecting !== null && Math.abs(px - this.selecting) > click_px) {
          const [from] = this.to_world(Math.min(px, this.selecting), 0),
            [to] = this.to_world(Math.max(px, this.selecting), 0);
          const [, y0, , y1] = this.seen();
          this.show(from, y0, to, y1);
        }
        this.selecting = null;
      };
      this.canvas.addEventListener("pointerup", end);
      this.canvas.addEventListener("pointercancel", end);
      this.canvas.addEventListener("pointerleave", () => this.hide_tip());
      this.canvas.addEventListener("dblclick", () =>
        this.options.drag === "select" ? this.reset() : this.zoom(2, ...(this.last_point || []))
      );
      this.canvas.addEventListener("keydown", (event) => this.key(event));
    }

    dragged(pointer, px, py) {
      if (this.still) return;
      if (this.selecting === null) return this.pan(px - pointer.px, py - pointer.py);
      this.hide_tip();
      const low = Math.max(this.padding.left, Math.min(px, this.selecting));
      const high = Math.min(this.width - this.padding.right, Math.max(px, this.selecting));
      Object.assign(this.band.style, {
        left: `${low}px`,
        width: `${Math.max(0, high - low)}px`,
        top: `${this.padding.top}px`,
        height: `${this.inner_height}px`
      });
      this.band.hidden = false;
    }

    pinched(id, px, py) {
      this.still = false;
      this.selecting = null;
      const [mine, other] = [this.pointers.get(id), [...this.pointers].find(([key]) => key !== id)[1]];
      const before = Math.hypot(mine.px - other.px, mine.py - other.py),
        after = Math.hypot(px - other.px, py - other.py);
      this.pan((px - mine.px) / 2, (py - mine.py) / 2);
      if (before > 8 && after > 8) this.zoom(after / before, (px + other.px) / 2, (py + other.py) / 2);
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = 60, vertical = this.options.axes === "free" && event.shiftKey ? "y" : undefined;
      const actions = {
        ArrowLeft: () => this.pan(step, 0),
        ArrowRight: () => this.pan(-step, 0),
        ArrowUp: () => this.pan(0, step),
        ArrowDown: () => this.pan(0, -step),
        "+": () => this.zoom(1.4, undefined, undefined, vertical),
        "=": () => this.zoom(1.4),
        "-": () => this.zoom(1 / 1.4),
        _: () => this.zoom(1 / 1.4, undefined, undefined, vertical),
        0: () => this.reset(),
        Home: () => this.reset(),
        Enter: () => this.options.pick && this.options.pick(this.width / 2, this.height / 2, event)
      };
      const handled =
        (this.options.key && this.options.key(event)) || (actions[event.key] && (actions[event.key](), true));
      if (handled) event.preventDefault();
    }

    show_tip(px, py) {
      this.last_point = [px, py];
      const lines = this.options.hover ? this.options.hover(px, py) : null;
      if (!lines) return this.hide_tip();
      this.tip.replaceChildren(...lines.map((line, ix) => node(ix === 0 ? "strong" : "span", { text: line })));
      this.tip.hidden = false;
      const width = this.tip.offsetWidth, height = this.tip.offsetHeight;
      this.tip.style.left = `${px + 14 + width > this.width ? Math.max(0, px - width - 10) : px + 14}px`;
      this.tip.style.top = `${py + 14 + height > this.height ? Math.max(0, py - height - 10) : py + 14}px`;
    }

    hide_tip() {
      if (this.tip.hidden) return;
      this.tip.hidden = true;
      if (this.options.left) this.options.left();
    }

    /// The picture as a canvas of its own: background, title, what is seen, and what `legend(painter, x, y, width)`
    /// adds.
    picture(title, legend, legend_height) {
      const scale = Math.max(2, this.dense), top = title ? 34 : 8, canvas = document.createElement("canvas");
      canvas.width = Math.round(this.width * scale);
      canvas.height = Math.round((this.height + top + legend_height + 8) * scale);
      const painter = canvas.getContext("2d");
      painter.setTransform(scale, 0, 0, scale, 0, 0);
      this.compose(painter, title, legend, top);
      return canvas;
    }

    /// The same as SVG.
    svg(title, legend, legend_height) {
      const top = title ? 34 : 8, recorder = new weft.SvgPainter(this.width, this.height + top + legend_height + 8);
      this.compose(recorder, title, legend, top);
      return recorder.text();
    }

    compose(painter, title, legend, top) {
      const theme = this.theme;
      painter.fillStyle = theme.background;
      painter.fillRect(0, 0, this.width, 1e5);
      painter.font = "600 15px system-ui, sans-serif";
      painter.fillStyle = theme.foreground;
      painter.textBaseline = "top";
      painter.textAlign = "left";
      if (title) painter.fillText(title, 10, 10);
      painter.save();
      painter.translate(0, top);
      painter.save();
      painter.beginPath();
      painter.rect(0, 0, this.width, this.height);
      painter.clip();
      this.options.draw(painter, this);
      painter.restore();
      painter.font = "12px system-ui, sans-serif";
      legend(painter, 10, this.height + 6, this.width - 20);
      painter.restore();
    }
  }
  weft.Stage = Stage;
})();
