// The figure "fabric": a drawing of switches and links that the page brings along, with a search for hosts and
// switches. {kind: "fabric", template, switches: [name...], hosts: [name...], at: [switch of each host], peers: block
// of u32, first: [where in it each switch begins], tables: block of u8 or null} peers[first[s] + port - 1]: the switch
// that a port sends to, or 2^31 + a host, or 2^32 - 1 for nothing tables[host * switches + s]: the port through which
// switch s sends to the host; 0 and 255: none
(function () {
  "use strict";
  const weft = window.weft;
  const nothing = 2 ** 32 - 1, of_host = 2 ** 31, most_options = 12;

  class FabricModel {
    constructor(spec, peers, tables) {
      Object.assign(this, { spec, peers, tables });
      this.names = [...spec.switches, ...spec.hosts];
    }
    /// What a name means: {host} or {at}; the first of those that contain it if none is called so. Null: none does.
    find(words) {
      const wanted = words.trim().toLowerCase();
      if (!wanted) return null;
      const lower = this.names.map((name) => name.toLowerCase());
      let ix = this.names.indexOf(words.trim());
      if (ix < 0) ix = lower.indexOf(wanted);
      if (ix < 0) ix = lower.findIndex((name) => name.startsWith(wanted));
      if (ix < 0) ix = lower.findIndex((name) => name.includes(wanted));
      if (ix < 0) return null;
      const switches = this.spec.switches.length;
      return ix < switches
        ? { name: this.names[ix], at: ix, host: -1 }
        : { name: this.names[ix], at: this.spec.at[ix - switches], host: ix - switches };
    }
    matches(words) {
      const wanted = words.trim().toLowerCase();
      return wanted ? this.names.filter((name) => name.toLowerCase().includes(wanted)) : [];
    }
    /// Hops {at, port} of the route from a switch to a host; `arrives` says whether it does.
    route(from, host) {
      const hops = [];
      let at = from;
      for (let count = 0; count <= this.spec.switches.length; ++count) {
        const port = this.tables[host * this.spec.switches.length + at];
        if (port === 0 || port === 255) return { hops, arrives: false };
        hops.push({ at, port });
        const next = this.peers[this.spec.first[at] + port - 1];
        if (next === undefined || next === nothing) return { hops, arrives: false };
        if (next >= of_host) return { hops, arrives: next - of_host === host };
        at = next;
      }
      return { hops, arrives: false };
    }
  }

  const pair_of = (a, b) => (a < b ? `${a}-${b}` : `${b}-${a}`);

  class FabricSearch {
    constructor(element, model) {
      this.model = model;
      this.svg = element.querySelector("svg.fabric");
      this.options = weft.make("datalist", { id: `names-${model.spec.template}` });
      const field = (label) =>
        weft.make("input", {
          type: "search",
          "aria-label": label,
          placeholder: label,
          list: this.options.id,
          autocomplete: "off",
          oninput: (event) => this.search(event.target),
        });
      this.from = field("Find a host or switch");
      this.to = model.tables ? field("route to host") : null;
      this.answer = weft.make("output", { class: "soft" });
      element.prepend(
        weft.make(
          "form",
          { class: "fabric-search", onsubmit: (event) => event.preventDefault() },
          this.from,
          this.to,
          this.options
        ),
        this.answer
      );
    }
    search(field) {
      const options = this.model.matches(field.value).slice(0, most_options);
      this.options.replaceChildren(...options.map((name) => weft.make("option", { value: name })));
      this.show();
    }
    show() {
      const found = this.model.find(this.from.value), to = this.to ? this.model.find(this.to.value) : null;
      this.pairs = new Set();
      this.switches = new Set();
      if (!found) {
        this.paint(null);
        this.answer.textContent = this.from.value.trim() ? "There is no host and no switch of this name." : "";
        return;
      }
      this.switches.add(found.at);
      this.answer.textContent =
        found.host < 0
          ? this.of_switch(found)
          : to && to.host >= 0 && to.host !== found.host
            ? this.path(found, to)
            : this.of_host(found);
      this.paint(found.at);
    }
    of_switch(found) {
      const { peers, spec } = this.model, end = spec.first[found.at + 1] ?? peers.length;
      let hosts = 0;
      for (let k = spec.first[found.at]; k < end; ++k) {
        if (peers[k] < of_host) this.add(found.at, peers[k]);
        else if (peers[k] !== nothing) ++hosts;
      }
      return `${found.name}: links to ${this.pairs.size} switches, ${hosts} hosts.`;
    }
    /// All routes from a host and to it.
    of_host(found) {
      const where = found.at < 0 ? "has no cable" : `at ${this.model.spec.switches[found.at]}`;
      if (!this.model.tables || found.at < 0) return `${found.name}: ${where}.`;
      const { at } = this.model.spec;
      let lost = 0;
      const follow = (from, host) => {
        const route = this.model.route(from, host);
        lost += route.arrives ? 0 : 1;
        this.add_route(route);
      };
      for (const from of new Set(at)) if (from >= 0) follow(from, found.host);
      at.forEach((there, host) => there >= 0 && host !== found.host && follow(found.at, host));
      return `${found.name}: ${where}; its routes, from all and to all, use ${this.pairs.size} pairs of ` +
        `switches${lost ? `; ${lost} do not arrive` : ""}.`;
    }
    path(from, to) {
      const route = this.model.route(from.at, to.host), { spec } = this.model;
      this.add_route(route);
      const hops = route.hops.map((hop) => `${spec.switches[hop.at]} port ${hop.port}`);
      return [from.name, ...hops, route.arrives ? to.name : "it does not arrive"].join(" → ");
    }
    add_route({ hops }) {
      for (const [k, hop] of hops.entries()) {
        this.switches.add(hop.at);
        if (k > 0) this.add(hops[k - 1].at, hop.at);
      }
    }
    add(a, b) {
      this.switches.add(a).add(b);
      this.pairs.add(pair_of(a, b));
    }
    paint(chosen) {
      this.svg.classList.toggle("searched", chosen !== null);
      for (const link of this.svg.querySelectorAll(".link"))
        link.classList.toggle("on", this.pairs.has(pair_of(Number(link.dataset.a), Number(link.dataset.b))));
      let drawn = false;
      for (const shape of this.svg.querySelectorAll("[data-switch]")) {
        const at = Number(shape.dataset.switch);
        shape.classList.toggle("on", this.switches.has(at));
        shape.classList.toggle("chosen", at === chosen);
        drawn = drawn || at === chosen;
      }
      if (chosen !== null && chosen >= 0 && !drawn)
        this.answer.textContent += " It is not among the switches that are drawn.";
    }
  }

  weft.figure("fabric", async (element, spec, context) => {
    const peers = await context.numbers(spec.peers);
    const tables = spec.tables ? await context.numbers(spec.tables) : null;
    element.append(document.getElementById(spec.template).content.cloneNode(true));
    element.search = new FabricSearch(element, new FabricModel(spec, peers, tables));
  });
})();
