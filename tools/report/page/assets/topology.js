// The figure "topology": what links carried, on a drawing of the network; its lists and tables.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});
  const { node, number, percent, ticks, choice, ramp_legend, draw_ramp, csv } = weft.canvas;

  const listed_links = 20;

  /// A table of the ports of a router: what leaves, what comes in, and packets by virtual channel.
  function port_table(model, router, most, go) {
    const channels = new Set(), rows = [];
    for (let link = model.first[router]; link < model.first[router + 1]; ++link) {
      if (model.peer[link] === 0xffffffff) continue;
      for (let row = model.row_first[link]; row < model.row_first[link + 1]; ++row) channels.add(model.channel[row]);
    }
    const order = [...channels].sort((a, b) => a - b), several = order.length > 1;
    const meter = (load) => {
      const bar = node("i", { class: "weft-meter" });
      bar.style.setProperty("--part", `${Math.min(100, (100 * load) / most)}%`);
      return node("td", {}, bar, percent(load));
    };
    for (let link = model.first[router]; link < model.first[router + 1]; ++link) {
      if (model.peer[link] === 0xffffffff) continue;
      const by_channel = new Map();
      for (let row = model.row_first[link]; row < model.row_first[link + 1]; ++row)
        by_channel.set(model.channel[row], model.row_packets[row]);
      const to_node = model.to_node(link), peer = model.peer[link], back = model.reverse(link);
      const nic = to_node && model.nic ? model.nic[peer - model.routers] * model.load_unit : NaN;
      const name = to_node
        ? model.peer_name(link)
        : node("button", { type: "button", class: "weft-link", text: model.peer_name(link), onclick: () => go(peer) });
      const quiet = node("td", { text: "–" });
      rows.push(
        node(
          "tr",
          {},
          node("td", { class: "text", text: model.port_name(link) }),
          node("td", { class: "text" }, name),
          model.carries(link) ? meter(model.load[link]) : quiet,
          back >= 0 && model.carries(back)
            ? meter(model.load[back])
            : Number.isFinite(nic)
              ? meter(nic)
              : node("td", { text: "–" }),
          node("td", { text: number(model.packets[link]) }),
          ...(several
            ? order.map((c) => node("td", { text: by_channel.has(c) ? number(by_channel.get(c)) : "–" }))
            : [])
        )
      );
    }
    const head = ["port", "leads to", "sends", "receives", "packets", ...(several ? order.map((c) => `VC ${c}`) : [])];
    return node(
      "div",
      { class: "scroll", tabindex: 0 },
      node(
        "table",
        { class: "weft-table" },
        node(
          "thead",
          {},
          node(
            "tr",
            {},
            ...head.map((text, ix) => node("th", { text, scope: "col", class: ix < 2 ? "text" : undefined }))
          )
        ),
        node("tbody", {}, ...rows)
      )
    );
  }

  async function render(element, spec, context) {
    const model = await weft.NetworkModel.load(spec, context);
    const state = { busiest: false, most: model.most || 1, least: 0, picked: -1, hovered: -1 };
    const view = new weft.NetworkView(model, state);
    const [x0, y0, x1, y1] = view.bounds(), aspect = (y1 - y0) / (x1 - x0);
    const details = node("div", { class: "weft-details", "aria-live": "polite" }), list = node("div", {});

    const stage = new weft.Stage(context, {
      label: `${spec.title || "Load of links"}: ${spec.network}. Arrow keys move, + and - zoom, 0 shows all, Enter ` +
        `picks the router in the middle.`,
      height: (width) => Math.max(240, Math.min(640, width * Math.max(0.35, aspect), window.innerHeight * 0.8)),
      home: [x0, y0, x1, y1],
      axes: "xy",
      drag: "pan",
      buttons_elsewhere: true,
      max_zoom: Math.max(8, (x1 - x0) / 4),
      draw: (painter, on) => view.draw(painter, on),
      hover: (px, py) => {
        const found = view.find(stage, px, py),
          link = found && found.link !== undefined ? found.link : -1;
        if (link !== state.hovered) {
          state.hovered = link;
          stage.redraw();
        }
        stage.canvas.style.cursor = found ? "pointer" : "grab";
        return found ? view.describe(found) : null;
      },
      left: () => {
        if (state.hovered >= 0) stage.redraw();
        state.hovered = -1;
      },
      pick: (px, py) => {
        const found = view.find(stage, px, py);
        if (!found) return pick(-1);
        if (found.tile !== undefined) return stage.zoom(3, px, py);
        pick(found.router !== undefined ? found.router : model.owner[found.link]);
      },
      key: (event) => event.key === "Escape" && state.picked >= 0 && (pick(-1), true),
      moved: () => (state.hovered = -1)
    });

    function pick(router) {
      state.picked = router;
      finder.value = router >= 0 ? String(router) : "";
      stage.redraw();
      details.hidden = router < 0;
      if (router < 0) return;
      const place = model.place_name(router);
      details.replaceChildren(
        node("h4", { text: model.router_name(router) + (place ? `, ${place}` : "") }),
        node("p", {
          class: "soft",
          text: `Links: mean ${percent(model.mean_load[router])}, busiest ${percent(model.max_load[router])}.`
        }),
        port_table(model, router, state.most, go)
      );
    }

    /// Shows a router large enough to be told from its neighbours, and picks it.
    function go(router) {
      const x = model.x[router], y = model.y[router], near = 6;
      pick(router);
      const [sx, sy] = stage.to_screen(x, y);
      if (stage.kx < 14 || sx < 0 || sy < 0 || sx > stage.width || sy > stage.height)
        stage.show(x - near, y - near, x + near, y + near);
    }

    const finder = node("input", {
      type: "number",
      min: 0,
      max: model.routers - 1,
      step: 1,
      placeholder: "number",
      "aria-label": "router to show",
      onchange: () => finder.value !== "" && finder.checkValidity() && go(Number(finder.value))
    });
    const least = node("input", {
      type: "range",
      min: 0,
      max: 100,
      value: 0,
      "aria-label": "least utilisation of links that are drawn",
      oninput: () => {
        state.least = (Number(least.value) / 100) * state.most;
        limit.textContent = `from ${percent(state.least)}`;
        stage.redraw();
      }
    });
    const limit = node("output", { text: "from 0 %" });
    const legend = ramp_legend("utilisation of links");
    const marks = () => ticks(0, state.most, 5).map((v) => [v / state.most, `${Number((100 * v).toPrecision(3))} %`]);
    const controls = node("div", { class: "weft-controls" }, legend.element,
      choice("routers show", [["mean", "their mean link"], ["busiest", "their busiest link"]], "mean", (value) => {
        state.busiest = value === "busiest";
        stage.redraw();
      }),
      choice("colours end at", [["most", "the busiest link"], ["full", "100 %"]], "most", (value) => {
        state.most = value === "full" ? Math.max(1, model.most) : model.most || 1;
        refresh();
      }),
      node("label", { class: "weft-choice" }, node("span", { text: "links" }), least, limit),
      node("label", { class: "weft-choice" }, node("span", { text: "router" }), finder), stage.buttons);

    function refresh() {
      legend.update(stage.theme, marks());
      state.least = (Number(least.value) / 100) * state.most;
      limit.textContent = `from ${percent(state.least)}`;
      if (state.picked >= 0) pick(state.picked);
      stage.redraw();
    }

    const top = model.busiest(listed_links);
    list.append(
      node("h4", { text: "Most loaded links" }),
      top.length === 0
        ? node("p", { class: "soft", text: "No link between routers carried a packet." })
        : node(
            "ol",
            { class: "weft-busiest" },
            ...top.map((link) =>
              node(
                "li",
                {},
                node("button", {
                  type: "button",
                  class: "weft-link",
                  text: model.link_name(link),
                  onclick: () => go(model.owner[link])
                }),
                node("span", { text: percent(model.load[link]), title: `${number(model.packets[link])} packets` })
              )
            )
          )
    );
    const facts = node("p", {
      class: "soft",
      text:
        `${number(model.carrying)} directions of links between ${number(model.routers)} routers, mean ` +
        `${percent(model.mean)}; ` +
        `${number(model.carrying - model.used)} carried nothing. The half of a link at a router is what this router ` +
        `sends; stubs lead to where the drawing cannot show it. Pick a router to see its ports and virtual channels.`
    });
    element.replaceChildren(
      node(
        "div",
        { class: "weft-picture" },
        controls,
        stage.element,
        facts,
        node("div", { class: "weft-beside" }, details, list)
      )
    );
    pick(-1);
    refresh();
    context.on_change(refresh);

    const paint_legend = (painter, x, y, width) =>
      draw_ramp(painter, stage.theme, x, y, Math.min(320, width), "utilisation of links", marks());
    context.exports(element, {
      png: () => stage.picture(spec.title, paint_legend, 48),
      svg: () => stage.svg(spec.title, paint_legend, 48),
      csv: () => csv(["router", "port", "port_name", "leads_to", "utilisation", "packets"], link_rows(model)),
    });
    element.figure = { stage, model, view, state, pick, go };
  }

  function* link_rows(model) {
    for (let link = 0; link < model.links; ++link) {
      if (!model.carries(link)) continue;
      const r = model.owner[link];
      yield[
        (r,
        link - model.first[r],
        model.port_name(link),
        model.peer_name(link),
        Number(model.load[link].toPrecision(6)),
        model.packets[link])
      ];
    }
  }

  weft.figure("topology", render);
})();
