// Draws a network: routers and halves of links where they can be told apart, tiles and bundles where they cannot.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});
  const { ramp, percent, number } = weft.canvas;

  const most_halves = 50000, most_dots = 20000, most_bundles = 12000, tile_px = 4;
  const names_from_px = 40, nodes_from_px = 20;

  class NetworkView {
    /// `state`: {busiest, most (utilisation of the end of the ramp), least, picked (router or -1), hovered (link)}.
    constructor(model, state) {
      this.model = model;
      this.state = state;
      this.points = new Float64Array(6);
    }

    /// World coordinates of all of it.
    bounds() {
      const { x, y, spec } = this.model;
      let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let r = 0; r < x.length; ++r) {
        x0 = Math.min(x0, x[r]);
        x1 = Math.max(x1, x[r]);
        y0 = Math.min(y0, y[r]);
        y1 = Math.max(y1, y[r]);
      }
      for (const frame of spec.frames || []) {
        x0 = Math.min(x0, frame.x);
        y0 = Math.min(y0, frame.y);
        x1 = Math.max(x1, frame.x + frame.w);
        y1 = Math.max(y1, frame.y + frame.h);
        if (!frame.label || !frame.round) continue;
        y0 = Math.min(y0, frame.label_y);
        y1 = Math.max(y1, frame.label_y);
      }
      return [x0 - 0.8, y0 - 1, x1 + 0.8, y1 + 0.8];
    }

    draw(painter, stage) {
      const { model } = this, theme = stage.theme, [x0, y0, x1, y1] = stage.seen();
      const visible = [];
      let halves = 0;
      for (let r = 0; r < model.routers; ++r) {
        const x = model.x[r], y = model.y[r];
        if (x < x0 - 0.6 || x > x1 + 0.6 || y < y0 - 0.6 || y > y1 + 0.6) continue;
        visible.push(r);
        halves += model.first[r + 1] - model.first[r];
      }
      // Too many links are drawn in bundles, too many routers as tiles.
      this.bundled = halves > most_halves;
      this.tiled = visible.length > most_dots;
      this.shown_routers = this.tiled ? [] : visible;
      this.halves = [];
      if (!this.tiled) this.frames(painter, stage, theme, false);
      if (this.bundled) this.draw_bundles(painter, stage, theme);
      else this.draw_halves(painter, stage, theme, model.links <= most_halves ? null : visible);
      if (this.tiled) {
        this.draw_tiles(painter, stage, theme);
        this.frames(painter, stage, theme, true);
      } else this.draw_routers(painter, stage, theme, visible);
      this.labels(painter, stage, theme);
    }

    /// `apart`: with a margin that keeps the tiles of neighbours apart.
    frames(painter, stage, theme, apart) {
      for (const frame of this.model.spec.frames || []) {
        const [x, y] = stage.to_screen(frame.x, frame.y), w = frame.w * stage.kx, h = frame.h * stage.ky;
        if (x > stage.width || y > stage.height || x + w < 0 || y + h < 0) continue;
        if (apart && !frame.round) {
          painter.strokeStyle = theme.background;
          painter.lineWidth = 4;
          painter.strokeRect(x - 2, y - 2, w + 4, h + 4);
        }
        painter.strokeStyle = theme.grid;
        painter.lineWidth = 1;
        painter.beginPath();
        if (frame.round) painter.arc(x + w / 2, y + h / 2, w / 2, 0, 2 * Math.PI);
        else painter.rect(x, y, w, h);
        painter.stroke();
      }
    }

    labels(painter, stage, theme) {
      painter.font = "11px system-ui, sans-serif";
      let taken = -1e9, line = NaN;
      for (const frame of this.model.spec.frames || []) {
        const w = frame.w * stage.kx, wide = frame.label ? painter.measureText(frame.label).width : 0;
        if (!frame.label || w < 6) continue;
        const [x, y] = stage.to_screen(frame.label_x, frame.label_y),
          ty = Math.round(frame.round ? y : Math.max(y - 4, 12));
        const tx = frame.round ? x - wide / 2 : Math.max(x, 4), end = x + w;
        if (tx > stage.width || ty > stage.height + 8 || end < tx || ty < 0) continue;
        if (frame.round ? wide > w * 1.6 : wide > Math.max(w, frame.w > 4 * frame.h ? 200 : 0)) continue;
        if (!frame.round && line === ty && tx < taken + 6) continue;
        painter.fillStyle = theme.background;
        painter.globalAlpha = 0.75;
        painter.fillRect(tx - 2, ty - (frame.round ? 7 : 10), wide + 4, 14);
        painter.globalAlpha = 0.8;
        painter.fillStyle = theme.foreground;
        painter.textAlign = "left";
        painter.textBaseline = frame.round ? "middle" : "alphabetic";
        painter.fillText(frame.label, tx, ty);
        painter.globalAlpha = 1;
        line = ty;
        taken = tx + wide;
      }
    }

    /// Halves sorted by colour, the most loaded on top.
    draw_halves(painter, stage, theme, routers) {
      const { model, state } = this,
        colours = ramp(theme.dark),
        buckets = Array.from({ length: colours.steps }, () => []);
      const idle = [], kept = [], with_nodes = stage.kx >= nodes_from_px;
      const add = (r) => {
        for (let link = model.first[r]; link < model.first[r + 1]; ++link) {
          if (!model.carries(link) || (model.to_node(link) && !with_nodes) || model.load[link] < state.least) continue;
          kept.push(link);
          if (model.load[link] === 0) idle.push(link);
          else buckets[colours.step(model.load[link] / state.most)].push(link);
        }
      };
      if (routers) for (const r of routers) add(r);
      else for (let r = 0; r < model.routers; ++r) add(r);
      this.halves = kept;
      const dense = kept.length / Math.max(1, (stage.inner_width * stage.inner_height) / 500);
      const width = Math.min(4.5, Math.max(dense > 4 ? 0.7 : 1.1, stage.kx * 0.075));
      painter.lineCap = "butt";
      painter.globalAlpha = state.picked >= 0 ? 0.3 : 1;
      painter.setLineDash([]);
      painter.strokeStyle = theme.grid;
      painter.lineWidth = Math.min(width, 1);
      this.strokes(painter, stage, idle);
      const thin = [];
      buckets.forEach((links, step) => {
        if (links.length === 0) return;
        painter.strokeStyle = colours.css[step];
        painter.lineWidth = width * (0.8 + (0.9 * step) / colours.steps);
        if (with_nodes) thin.push(...links.filter((link) => model.to_node(link)).map((link) => [link, step]));
        this.strokes(painter, stage, with_nodes ? links.filter((link) => !model.to_node(link)) : links);
      });
      painter.lineWidth = width * 0.6;
      for (const [link, step] of thin) {
        painter.strokeStyle = colours.css[step];
        this.strokes(painter, stage, [link]);
      }
      painter.globalAlpha = 1;
      if (state.picked >= 0) this.draw_picked(painter, stage, colours, width);
      if (state.hovered >= 0) this.emphasised(painter, stage, colours, [state.hovered], width + 3);
    }

    strokes(painter, stage, links) {
      if (links.length === 0) return;
      const p = this.points, { x, y, kx, ky } = stage;
      painter.beginPath();
      for (const link of links) {
        this.model.half(link, p);
        painter.moveTo(p[0] * kx + x, p[1] * ky + y);
        if (Number.isNaN(p[2])) painter.lineTo(p[4] * kx + x, p[5] * ky + y);
        else painter.quadraticCurveTo(p[2] * kx + x, p[3] * ky + y, p[4] * kx + x, p[5] * ky + y);
      }
      painter.stroke();
    }

    emphasised(painter, stage, colours, links, width) {
      for (const link of links) {
        painter.strokeStyle =
          this.model.load[link] === 0
            ? stage.theme.foreground
            : colours.css[colours.step(this.model.load[link] / this.state.most)];
        painter.lineWidth = width;
        this.strokes(painter, stage, [link]);
      }
    }

    draw_picked(painter, stage, colours, width) {
      const { model } = this, links = [], r = this.state.picked;
      for (let link = model.first[r]; link < model.first[r + 1]; ++link) {
        if (!model.carries(link)) continue;
        links.push(link);
        const back = model.reverse(link);
        if (back >= 0 && model.carries(back)) links.push(back);
      }
      links.sort((a, b) => model.load[a] - model.load[b]);
      this.emphasised(painter, stage, colours, links, width + 1.2);
    }

    draw_routers(painter, stage, theme, routers) {
      const { model, state } = this, colours = ramp(theme.dark), radius = this.radius(stage);
      const buckets = Array.from({ length: colours.steps }, () => []);
      for (const r of routers) buckets[colours.step(model.router_load(r, state.busiest) / state.most)].push(r);
      painter.globalAlpha = state.picked >= 0 ? 0.45 : 1;
      buckets.forEach((list, step) => {
        if (list.length === 0) return;
        painter.fillStyle = colours.css[step];
        painter.beginPath();
        for (const r of list) {
          const [x, y] = stage.to_screen(model.x[r], model.y[r]);
          if (radius < 3) painter.rect(x - radius, y - radius, 2 * radius, 2 * radius);
          else {
            painter.moveTo(x + radius, y);
            painter.arc(x, y, radius, 0, 2 * Math.PI);
          }
        }
        painter.fill();
        if (radius < 5) return;
        painter.strokeStyle = theme.background;
        painter.lineWidth = 1.5;
        painter.stroke();
      });
      painter.globalAlpha = 1;
      if (state.picked >= 0) {
        const [x, y] = stage.to_screen(model.x[state.picked], model.y[state.picked]);
        painter.fillStyle = colours.css[colours.step(model.router_load(state.picked, state.busiest) / state.most)];
        painter.strokeStyle = theme.foreground;
        painter.lineWidth = 2.5;
        painter.beginPath();
        painter.arc(x, y, radius + 2.5, 0, 2 * Math.PI);
        painter.fill();
        painter.stroke();
      }
      if (stage.kx < names_from_px) return;
      const size = Math.min(13, (3.1 * radius) / String(model.routers - 1).length), inside = size >= 8.5;
      painter.font = `${inside ? size : 11}px system-ui, sans-serif`;
      painter.textAlign = inside ? "center" : "left";
      painter.textBaseline = inside ? "middle" : "top";
      for (const r of routers) {
        const [x, y] = stage.to_screen(model.x[r], model.y[r]);
        const [red, green, blue] = weft.canvas.rgb(
          colours.css[colours.step(model.router_load(r, state.busiest) / state.most)]
        );
        painter.fillStyle = !inside
          ? theme.foreground
          : 0.299 * red + 0.587 * green + 0.114 * blue > 140
            ? "#111"
            : "#fff";
        if (inside) painter.fillText(String(r), x, y);
        else painter.fillText(String(r), x + 0.75 * radius, y + 0.75 * radius);
      }
    }

    radius(stage) { return Math.min(22, Math.max(1.3, stage.kx * 0.24)); }

    draw_bundles(painter, stage, theme) {
      const { model, state } = this, colours = ramp(theme.dark);
      const far = 2 ** Math.ceil(Math.log2((2 * tile_px) / stage.kx));
      const paths = Array.from({ length: colours.steps }, () => []),
        list = model.bundles(far, state.busiest, most_bundles);
      for (const bundle of list)
        if (bundle.load >= state.least) paths[colours.step(bundle.load / state.most)].push(bundle);
      const dense = Math.min(1, 1500 / Math.max(1, list.length));
      painter.lineCap = "butt";
      painter.globalAlpha = state.picked >= 0 ? 0.4 : 1;
      paths.forEach((bundles, step) => {
        if (bundles.length === 0) return;
        painter.strokeStyle = bundles[0].load === 0 ? theme.grid : colours.css[step];
        painter.lineWidth = (0.6 + 1.2 * dense) * (0.8 + (0.8 * step) / colours.steps);
        painter.beginPath();
        for (const bundle of bundles) {
          painter.moveTo(bundle.x0 * stage.kx + stage.x, bundle.y0 * stage.ky + stage.y);
          painter.lineTo(bundle.x1 * stage.kx + stage.x, bundle.y1 * stage.ky + stage.y);
        }
        painter.stroke();
      });
      painter.globalAlpha = 1;
      if (state.picked >= 0) this.draw_picked(painter, stage, colours, 1.5);
    }

    draw_tiles(painter, stage, theme) {
      const { model, state } = this, colours = ramp(theme.dark), size = 2 ** Math.ceil(Math.log2(tile_px / stage.kx));
      const tiles = model.tiles(stage.seen(), size, state.busiest), image = document.createElement("canvas");
      image.width = tiles.columns;
      image.height = tiles.rows;
      const pixels = image.getContext("2d").createImageData(tiles.columns, tiles.rows),
        words = new Uint32Array(pixels.data.buffer);
      for (let at = 0; at < words.length; ++at)
        if (tiles.count[at] > 0 && tiles.value[at] >= state.least)
          words[at] = colours.words[colours.step(tiles.value[at] / state.most)];
      image.getContext("2d").putImageData(pixels, 0, 0);
      painter.imageSmoothingEnabled = false;
      const [x, y] = stage.to_screen(tiles.column * size, tiles.row * size);
      painter.drawImage(image, x, y, tiles.columns * size * stage.kx, tiles.rows * size * stage.ky);
      this.tiles = tiles;
    }

    /// What is under a point of the canvas: {router}, {link}, {tile} or null.
    find(stage, px, py) {
      const { model } = this, [wx, wy] = stage.to_world(px, py);
      if (this.tiled) {
        const { tiles } = this,
          c = Math.floor(wx / tiles.size) - tiles.column,
          w = Math.floor(wy / tiles.size) - tiles.row;
        const at = w * tiles.columns + c;
        if (c < 0 || w < 0 || c >= tiles.columns || w >= tiles.rows || tiles.count[at] === 0) return null;
        return { tile: at, x: (c + tiles.column + 0.5) * tiles.size, y: (w + tiles.row + 0.5) * tiles.size };
      }
      let best = null, nearest = Math.max(7, this.radius(stage) + 2);
      for (const r of this.shown_routers || []) {
        const [x, y] = stage.to_screen(model.x[r], model.y[r]), away = Math.hypot(x - px, y - py);
        if (away < nearest) [nearest, best] = [away, { router: r }];
      }
      if (best) return best;
      nearest = 5;
      const p = this.points;
      for (const link of this.halves || []) {
        model.half(link, p);
        const away = this.distance(stage, px, py);
        if (away < nearest || (away === nearest && best && model.load[link] > model.load[best.link]))
          [nearest, best] = [away, { link }];
      }
      return best;
    }

    /// From a point of the canvas to the half in `points`, in pixels.
    distance(stage, px, py) {
      const p = this.points, [ax, ay] = stage.to_screen(p[0], p[1]), [bx, by] = stage.to_screen(p[4], p[5]);
      const segment = (x0, y0, x1, y1) => {
        const dx = x1 - x0, dy = y1 - y0, long = dx * dx + dy * dy;
        const at = long > 0 ? Math.min(1, Math.max(0, ((px - x0) * dx + (py - y0) * dy) / long)) : 0;
        return Math.hypot(px - x0 - at * dx, py - y0 - at * dy);
      };
      if (Number.isNaN(p[2])) return segment(ax, ay, bx, by);
      const [cx, cy] = stage.to_screen(p[2], p[3]);
      const mx = (ax + 2 * cx + bx) / 4, my = (ay + 2 * cy + by) / 4;
      return Math.min(segment(ax, ay, mx, my), segment(mx, my, bx, by));
    }

    /// Lines of text about what `find` found.
    describe(found) {
      const { model, state } = this;
      if (found.tile !== undefined) {
        const count = this.tiles.count[found.tile];
        return [
          `${number(count)} router${count === 1 ? "" : "s"}`,
          `${state.busiest ? "busiest link" : "mean link"} ${percent(this.tiles.value[found.tile])}`,
          "click to zoom in"
        ];
      }
      if (found.router !== undefined) {
        const r = found.router, place = model.place_name(r);
        return [
          model.router_name(r) + (place ? `, ${place}` : ""),
          `links: mean ${percent(model.mean_load[r])}, busiest ${percent(model.max_load[r])}`
        ];
      }
      const { link } = found,
        lines = [
          model.link_name(link),
          `${percent(model.load[link])} of the time, ${number(model.packets[link])} packets`
        ];
      const back = model.reverse(link);
      if (back >= 0 && model.carries(back)) lines.push(`other direction ${percent(model.load[back])}`);
      return lines;
    }
  }
  weft.NetworkView = NetworkView;
})();
