// The page: registers kinds of figures, expands blocks of numbers, puts sections and figures on it as its JSON says,
// and tells them of other units and colours. Modules register kinds by weft.figure(kind, render).
(function () {
  "use strict";
  const kinds = new Map();
  const watchers = new Set();
  const selectors = new Set();
  const weft = (window.weft = { spec: null });

  /// render(element, spec, context) draws into the element; it may return a promise.
  weft.figure = (kind, render) => kinds.set(kind, render);

  /// An element with attributes and children; texts are texts, never markup.
  weft.make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };

  // Blocks: base64 of gzip of little-endian numbers.
  const types = {
    f32: Float32Array,
    f64: Float64Array,
    u8: Uint8Array,
    u16: Uint16Array,
    u32: Uint32Array,
    i32: Int32Array,
    u64: BigUint64Array,
  };
  const blocks = new Map();
  /// Of tens of megabytes: what browsers do themselves takes a fiftieth of a function for each byte.
  function bytes_of(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; ++at) bytes[at] = binary.charCodeAt(at);
    return bytes;
  }
  async function expand(name) {
    const place = document.getElementById("block-" + name);
    if (!place) throw new Error("the page has no block " + name);
    const packed = bytes_of(place.textContent.trim());
    const type = place.dataset.type;
    place.remove();
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    return new types[type](bytes);
  }
  weft.block = (name) => {
    if (!blocks.has(name)) blocks.set(name, expand(name));
    return blocks.get(name);
  };
  /// Numbers of a spec: a list as it is, or the block that it names.
  weft.numbers = async (value) => (value && value.block ? weft.block(value.block) : value || []);

  // Colours: those of the style sheet, and one for each label of a series that stays with it over all figures.
  const read = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let theme = null;
  weft.theme = () => {
    if (theme) return theme;
    const colours = [];
    for (let k = 0; read("--series-" + k); ++k) colours.push(read("--series-" + k));
    return (theme = {
      dark: document.documentElement.dataset.theme === "dark",
      colours,
      foreground: read("--text"),
      soft: read("--soft"),
      background: read("--card"),
      grid: read("--line"),
      band: read("--band"),
      warning: read("--warning"),
    });
  };
  const places = new Map();
  weft.place_of = (label) => {
    if (!places.has(label)) places.set(label, places.size);
    return places.get(label);
  };

  /// Markup that the page brings along: {kind: "markup", template}.
  weft.figure("markup", (element, spec) => {
    element.append(document.getElementById(spec.template).content.cloneNode(true));
  });

  weft.changed = () => {
    theme = null;
    for (const watcher of [...watchers]) watcher();
  };
  /// Emphasises a series in all figures that have it; null: none.
  weft.selected = null;
  weft.select = (label) => {
    weft.selected = weft.selected === label ? null : label;
    for (const selector of [...selectors]) selector(weft.selected);
  };

  /// Clocks of a figure, its own first.
  function clocks_of(spec) {
    const used = new Set([spec.clock || 0]);
    for (const one of spec.series || []) if (one.clock !== undefined) used.add(one.clock);
    for (const row of Array.isArray(spec.rows) ? spec.rows : []) {
      for (const cell of Array.isArray(row) ? row : []) if (cell && cell.clock !== undefined) used.add(cell.clock);
    }
    return used;
  }

  function context_of(spec) {
    return {
      block: weft.block,
      numbers: weft.numbers,
      theme: weft.theme,
      exports: weft.exports,
      units: weft.units_of(...clocks_of(spec)),
      on_change: (callback) => watchers.add(callback),
      on_select: (callback) => selectors.add(callback),
    };
  }

  async function draw(card, body, spec) {
    const render = kinds.get(spec.kind);
    try {
      if (!render) throw new Error(`this page cannot draw figures of kind "${spec.kind}"`);
      await render(body, spec, context_of(spec));
    } catch (error) {
      body.append(weft.make("p", { class: "warning not-drawn" }, "This figure could not be drawn: " + error.message));
      console.error(error);
    }
    card.dataset.drawn = "";
  }

  let figures = 0;
  function card_of(spec, later) {
    const body = weft.make("div", { class: "figure-body" });
    const head = weft.make(
      "div",
      { class: "figure-head" },
      spec.title ? weft.make("h3", {}, spec.title) : null,
      weft.make("div", { class: "figure-tools", role: "group", "aria-label": "Tools of the figure" }),
    );
    const card = weft.make(
      "figure",
      {
        class: `figure kind-${spec.kind} ${spec.wide ? "wide" : ""} ${spec.class || ""}`,
        id: "figure-" + figures++,
        "aria-label": spec.title || null,
      },
      head,
      spec.caption ? weft.make("figcaption", {}, spec.caption) : null,
      body,
    );
    later.set(card, () => draw(card, body, spec));
    return card;
  }

  function section_of(section, later) {
    const grid = weft.make("div", { class: "figures" });
    for (const spec of section.figures) grid.append(card_of(spec, later));
    const inside = [
      ...(section.notes || []).map((note) => weft.make("p", { class: note.class || "soft" }, note.text)),
      grid,
    ];
    if (section.folded) {
      return weft.make(
        "details",
        { id: section.id, class: "section" },
        weft.make("summary", {}, weft.make("h2", {}, section.title)),
        ...inside,
      );
    }
    return weft.make(
      "section",
      { id: section.id, class: "section" },
      section.title ? weft.make("h2", {}, section.title) : null,
      ...inside,
    );
  }

  /// What is in sight is drawn first, the rest when there is time, all of it before the page is printed.
  function draw_in_time(later) {
    const start = (card) => {
      const render = later.get(card);
      later.delete(card);
      return render ? render() : null;
    };
    const seen = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) if (entry.isIntersecting) (seen.unobserve(entry.target), start(entry.target));
      },
      { rootMargin: "300px" },
    );
    for (const card of later.keys()) seen.observe(card);
    const idle = window.requestIdleCallback || ((callback) => setTimeout(callback, 50));
    const next = async () => {
      const card = later.keys().next().value;
      if (!card) {
        document.documentElement.dataset.ready = "";
        return;
      }
      await start(card);
      idle(next, { timeout: 200 });
    };
    idle(next, { timeout: 500 });
    window.addEventListener("beforeprint", () => {
      for (const section of document.querySelectorAll("details.section")) section.open = true;
      for (const card of [...later.keys()]) start(card);
    });
  }

  function choose_theme(name) {
    const dark = name === "dark" || (name !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    weft.changed();
  }

  function theme_button() {
    return weft.make(
      "button",
      {
        type: "button",
        class: "tool",
        id: "theme",
        title: "Light or dark (key T)",
        onclick: () => choose_theme(weft.theme().dark ? "light" : "dark"),
      },
      "◐ Theme",
    );
  }

  function start() {
    const spec = (weft.spec = JSON.parse(document.getElementById("page").textContent));
    for (const section of spec.sections) {
      for (const figure of section.figures) {
        for (const one of figure.own ? [] : figure.series || [])
          if (!one.reference && one.label) weft.place_of(one.label);
      }
    }
    const later = new Map();
    const main = document.querySelector("main");
    const links = spec.sections
      .filter((section) => section.title)
      .map((section) => weft.make("a", { href: "#" + section.id }, section.title));
    document
      .querySelector("header")
      .append(
        weft.make("nav", { "aria-label": "Sections" }, ...links),
        weft.make("div", { class: "tools" }, ...weft.unit_buttons(), theme_button()),
      );
    choose_theme("");
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => choose_theme(""));
    for (const section of spec.sections) main.append(section_of(section, later));
    // Links into folded sections open them.
    const open = () => {
      const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (place && place.tagName === "DETAILS") place.open = true;
    };
    window.addEventListener("hashchange", open);
    open();
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
        return;
      if (event.key === "t") choose_theme(weft.theme().dark ? "light" : "dark");
      if (event.key === "u") weft.next_units();
      if (event.key === "Escape" && weft.selected !== null) weft.select(weft.selected);
    });
    draw_in_time(later);
  }
  document.addEventListener("DOMContentLoaded", start);
})();
