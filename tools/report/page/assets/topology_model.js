// Routers, ports and channels of a network with what they carried, from the blocks of a "topology" figure, and what is
// added up of them where single links are too many to see.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});
  const { varints } = weft.canvas;

  const no_peer = 0xffffffff;
  /// Values of `bend`: up to 15 a curve beside others, from 16 on a stub in one of 64 directions, 255 carries nothing.
  const first_stub = 16, stub_directions = 64, silent = 255;
  const curvature = [
    0, 0.22, -0.22, 0.11, -0.11, 0.33, -0.33, 0.44, -0.44, 0.55, -0.55, 0.66, -0.66, 0.77, -0.77, 0.88
  ];

  class NetworkModel {
    static async load(spec, context) {
      const model = new NetworkModel(),
        names = Object.keys(spec.blocks);
      const blocks = await Promise.all(names.map((name) => context.block(spec.blocks[name].block)));
      const raw = Object.fromEntries(names.map((name, ix) => [name, blocks[ix]]));
      Object.assign(model, {
        spec,
        x: raw.x,
        y: raw.y,
        bend: raw.bend,
        peer: raw.peer,
        far: raw.far,
        part: raw.part,
        nic: raw.nic,
        name: raw.name
      });
      model.routers = raw.x.length;
      model.links = raw.peer.length;
      const running = (counts) => {
        const first = new Uint32Array(counts.length + 1);
        for (let ix = 0; ix < counts.length; ++ix) first[ix + 1] = first[ix] + counts[ix];
        return first;
      };
      model.first = running(raw.ports);
      model.row_first = running(raw.channels);
      model.channel = raw.channel;
      model.row_packets = varints(raw.packets, raw.channel.length, (n) => new Float64Array(n));
      model.row_load = raw.load;
      model.load_unit = spec.load_unit;
      model.add_up();
      return model;
    }

    /// Loads and packets of links, means and maxima of routers, the most there is.
    add_up() {
      const { links, routers } = this;
      this.load = new Float32Array(links);
      this.packets = new Float64Array(links);
      this.owner = new Uint32Array(links);
      for (let link = 0; link < links; ++link) {
        let load = 0,
          packets = 0;
        for (let row = this.row_first[link]; row < this.row_first[link + 1]; ++row) {
          load += this.row_load[row];
          packets += this.row_packets[row];
        }
        this.load[link] = load * this.load_unit;
        this.packets[link] = packets;
      }
      this.mean_load = new Float32Array(routers);
      this.max_load = new Float32Array(routers);
      this.most = 0;
      let sum = 0,
        used = 0,
        busiest = 0;
      this.carrying = 0;
      for (let r = 0; r < routers; ++r) {
        let total = 0,
          count = 0,
          most = 0,
          to_nodes = 0,
          node_links = 0;
        for (let link = this.first[r]; link < this.first[r + 1]; ++link) {
          this.owner[link] = r;
          if (!this.carries(link)) continue;
          const load = this.load[link];
          if (load > most) most = load;
          if (!this.to_node(link) && load > this.most) this.most = load;
          if (this.to_node(link)) {
            to_nodes += load;
            ++node_links;
            continue;
          }
          total += load;
          ++count;
          sum += load;
          ++this.carrying;
          if (load > 0) ++used;
        }
        if (count === 0) [total, count] = [to_nodes, node_links];
        this.mean_load[r] = count > 0 ? total / count : 0;
        this.max_load[r] = most;
        if (most > busiest) busiest = most;
      }
      // Where nodes' links alone are used, as in a crossbar, they are what colours are for.
      if (this.most === 0) this.most = busiest;
      this.mean = this.carrying > 0 ? sum / this.carrying : 0;
      this.used = used;
    }

    carries(link) {
      return this.peer[link] !== no_peer && this.bend[link] !== silent;
    }
    to_node(link) {
      return this.peer[link] >= this.routers && this.peer[link] !== no_peer;
    }
    router_load(r, busiest) {
      return busiest ? this.max_load[r] : this.mean_load[r];
    }

    /// Points of the half of a link next to its router: [x0, y0, cx, cy, x1, y1]; cx is NaN where it is straight.
    half(link, out) {
      const r = this.owner[link],
        bend = this.bend[link],
        x0 = this.x[r],
        y0 = this.y[r];
      out[0] = x0;
      out[1] = y0;
      out[2] = NaN;
      if (bend >= first_stub) {
        const angle = ((bend - first_stub) * 2 * Math.PI) / stub_directions,
          length = this.to_node(link) ? 0.43 : 0.46;
        out[4] = x0 + length * Math.cos(angle);
        out[5] = y0 + length * Math.sin(angle);
        return;
      }
      const peer = this.peer[link],
        x1 = this.x[peer],
        y1 = this.y[peer];
      out[4] = (x0 + x1) / 2;
      out[5] = (y0 + y1) / 2;
      if (bend === 0) return;
      const side = (r < peer ? 1 : -1) * curvature[bend];
      const cx = out[4] - side * (y1 - y0),
        cy = out[5] + side * (x1 - x0);
      out[2] = (x0 + cx) / 2;
      out[3] = (y0 + cy) / 2;
      out[4] = (x0 + 2 * cx + x1) / 4;
      out[5] = (y0 + 2 * cy + y1) / 4;
    }

    /// The other direction of a link, or -1 (node links, one-way links).
    reverse(link) {
      if (this.to_node(link) || this.peer[link] === no_peer) return -1;
      return this.first[this.peer[link]] + this.far[link];
    }

    port_name(link) {
      const names = this.spec.port_names;
      return names.length > 0 ? names[this.name[link]] : `port ${link - this.first[this.owner[link]]}`;
    }
    /// Where a router is in the drawing, in words; "" where the drawing has none.
    place_name(r) {
      const layout = this.spec.layout;
      if (layout.rule === "planes") {
        let rest = r % layout.dims.reduce((all, size) => all * size, 1);
        const at = layout.dims.map((size) => {
          const c = rest % size;
          rest = Math.floor(rest / size);
          return c;
        });
        return `at (${at.join(", ")})`;
      }
      if (layout.rule === "levels" || layout.rule === "groups")
        return `${layout.rule === "levels" ? "level" : "group"} ${this.part[r]}`;
      return "";
    }
    router_name(r) {
      return this.spec.names ? this.spec.names[r] : `router ${r}`;
    }
    peer_name(link) {
      const peer = this.peer[link];
      if (peer === no_peer) return "not connected";
      return peer >= this.routers ? `node ${peer - this.routers}` : this.router_name(peer);
    }
    link_name(link) {
      return `${this.router_name(this.owner[link])}, ${this.port_name(link)} → ${this.peer_name(link)}`;
    }

    /// Links between routers with most load, the most loaded first.
    busiest(count) {
      const heap = []; // ascending by load, few elements
      for (let link = 0; link < this.links; ++link) {
        const load = this.load[link];
        if (load === 0 || this.to_node(link) || !this.carries(link)) continue;
        if (heap.length === count && load <= this.load[heap[0]]) continue;
        let low = 0,
          high = heap.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (this.load[heap[middle]] < load) low = middle + 1;
          else high = middle;
        }
        heap.splice(low, 0, link);
        if (heap.length > count) heap.shift();
      }
      return heap.reverse();
    }

    /// Routers in [x0, y0, x1, y1] in tiles of a side of `size`: their load (mean, or of the busiest link), by tile.
    tiles([x0, y0, x1, y1], size, busiest) {
      const column = Math.floor(x0 / size),
        row = Math.floor(y0 / size);
      const columns = Math.floor(x1 / size) - column + 1,
        rows = Math.floor(y1 / size) - row + 1;
      const value = new Float32Array(columns * rows),
        count = new Uint32Array(columns * rows);
      const loads = busiest ? this.max_load : this.mean_load;
      for (let r = 0; r < this.routers; ++r) {
        const c = Math.floor(this.x[r] / size) - column,
          w = Math.floor(this.y[r] / size) - row;
        if (c < 0 || w < 0 || c >= columns || w >= rows) continue;
        const at = w * columns + c,
          load = loads[r];
        ++count[at];
        if (busiest) value[at] = Math.max(value[at], load);
        else value[at] += (load - value[at]) / count[at];
      }
      return { column, row, columns, rows, value, count, size };
    }

    /// Long links together by where they begin and end (see `clusters`), which may be wider than `size`:
    /// [{x0, y0, x1, y1, load, links}], the most loaded last, about `most` of them.
    bundles(size, busiest, most) {
      const key = `${size} ${busiest}`;
      this.bundled = this.bundled || new Map();
      if (this.bundled.has(key)) return this.bundled.get(key);
      let list = this.bundle(size, busiest, most);
      for (let wider = 2 * size; list === null; wider *= 2) list = this.bundle(wider, busiest, most);
      if (this.bundled.size > 8) this.bundled.clear();
      this.bundled.set(key, list);
      return list;
    }

    /// Of those that are drawn from router to router.
    longest_link() {
      if (this.longest !== undefined) return this.longest;
      this.longest = 0;
      for (let link = 0; link < this.links; ++link) {
        if (this.bend[link] >= first_stub || this.peer[link] >= this.routers) continue;
        const from = this.owner[link],
          to = this.peer[link];
        this.longest = Math.max(this.longest, Math.abs(this.x[from] - this.x[to]), Math.abs(this.y[from] - this.y[to]));
      }
      return this.longest;
    }

    /// Which routers are one end of bundles: groups, stretches of levels of about this size, squares elsewhere.
    clusters(size) {
      const { rule } = this.spec.layout,
        { routers, x, y, part } = this,
        most_groups = 160;
      let left = Infinity,
        top = Infinity,
        right = -Infinity,
        parts = 0;
      for (let r = 0; r < routers; ++r) {
        left = Math.min(left, x[r]);
        right = Math.max(right, x[r]);
        top = Math.min(top, y[r]);
        if (part) parts = Math.max(parts, part[r] + 1);
      }
      const columns = Math.floor((right - left) / size) + 1;
      if (rule === "groups" && parts <= most_groups) return { of: part, fixed: true };
      const of = new Uint32Array(routers);
      for (let r = 0; r < routers; ++r)
        of[r] =
          (rule === "levels" ? part[r] : Math.floor((y[r] - top) / size)) * columns + Math.floor((x[r] - left) / size);
      return { of, fixed: size > right - left };
    }

    /// The same with clusters of this size; null if there are too many bundles.
    bundle(size, busiest, most) {
      if (this.longest_link() < 1.5 * size) return [];
      const { of, fixed } = this.clusters(size),
        found = new Map(),
        far = 1.5 * size,
        apart = this.part !== undefined;
      for (let link = 0; link < this.links; ++link) {
        if (this.bend[link] >= first_stub || this.peer[link] >= this.routers) continue;
        const from = this.owner[link],
          to = this.peer[link],
          load = this.load[link];
        if (of[from] === of[to]) continue;
        if (!apart && Math.abs(this.x[from] - this.x[to]) < far && Math.abs(this.y[from] - this.y[to]) < far) continue;
        if (found.size > most && !fixed) return null;
        const ends = of[from] * 0x4000000 + of[to];
        const bundle = found.get(ends);
        if (bundle === undefined) found.set(ends, { from: of[from], to: of[to], load, links: 1 });
        else {
          ++bundle.links;
          bundle.load = busiest ? Math.max(bundle.load, load) : bundle.load + (load - bundle.load) / bundle.links;
        }
      }
      const middles = new Map();
      for (let r = 0; r < this.routers; ++r) {
        const middle = middles.get(of[r]);
        if (middle === undefined) middles.set(of[r], { x: this.x[r], y: this.y[r], count: 1 });
        else {
          ++middle.count;
          middle.x += (this.x[r] - middle.x) / middle.count;
          middle.y += (this.y[r] - middle.y) / middle.count;
        }
      }
      const list = [...found.values()].sort((a, b) => a.load - b.load);
      for (const bundle of list) {
        const from = middles.get(bundle.from),
          to = middles.get(bundle.to);
        Object.assign(bundle, { x0: from.x, y0: from.y, x1: (from.x + to.x) / 2, y1: (from.y + to.y) / 2 });
      }
      return list;
    }
  }
  weft.NetworkModel = NetworkModel;
})();
