// Tables: sorted by a click on a column, filtered by words, with units that follow the page's. And a few figures large.
//   {kind: "table", columns: [{label, quantity, digits, text, code}], rows: [[cell...]], sort: false}
//   cell: number, text, null or {value, plus_minus, text, mark, clock, quantity}; a row {group: text} is a heading.
//   {kind: "tiles", tiles: [{label, value, quantity, plus_minus, text, note}]}
(function () {
  "use strict";
  const weft = window.weft;
  const most_rows = 60;

  const valueOf = (cell) => (cell !== null && typeof cell === "object" ? (cell.value ?? cell.text) : cell);

  function text_of(cell, column, units) {
    if (cell === null || cell === undefined) return "";
    const object = typeof cell === "object" ? cell : { value: cell };
    if (object.value === null || object.value === undefined) return object.text ?? "";
    if (typeof object.value === "string") return object.value;
    if (object.quantity) {
      const text = weft.quantity(object.value, object.quantity, units, column.digits || 4, object.clock);
      return object.plus_minus > 0
        ? text.replace(
            /^[^ ]*/,
            (number) =>
              `${number} ± ${weft.number(units.convert(object.plus_minus, object.quantity, object.clock), 2)}`,
          )
        : text;
    }
    if (column.quantity === "bytes") return weft.bytes(object.value);
    if (column.quantity === "seconds") return weft.duration(object.value);
    const clock = object.clock;
    const digits = column.digits || 4;
    let text = weft.number(units.convert(object.value, column.quantity, clock), digits);
    if (object.plus_minus > 0) text += " ± " + weft.number(units.convert(object.plus_minus, column.quantity, clock), 2);
    return text;
  }

  function head_of(column, units) {
    const unit = column.quantity && !["bytes", "seconds"].includes(column.quantity) ? units.label(column.quantity) : "";
    return unit ? `${column.label}, ${unit}` : column.label;
  }

  function compare(a, b) {
    const empty = (value) => value === null || value === undefined || value === "";
    if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b));
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  weft.figure("table", (element, spec, context) => {
    const grouped = spec.rows.some((row) => row.group !== undefined);
    let order = null,
      falling = false,
      words = "",
      all = false;
    const head = weft.make("thead"),
      rows = weft.make("tbody");
    const table = weft.make("table", {}, head, rows);
    const scroll = weft.make(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": spec.title || "table" },
      table,
    );
    const more = weft.make("button", {
      type: "button",
      class: "more",
      onclick: () => {
        all = !all;
        fill();
      },
    });

    function sort_by(column) {
      falling = order === column ? !falling : false;
      order = column;
      fill();
    }
    function fill_head() {
      head.hidden = spec.columns.every((column) => !column.label);
      head.replaceChildren(
        weft.make(
          "tr",
          {},
          ...spec.columns.map((column, ix) => {
            const sorted = order === ix ? (falling ? "descending" : "ascending") : null;
            const name = head_of(column, context.units);
            const inside = grouped ? name : weft.make("button", { type: "button", onclick: () => sort_by(ix) }, name);
            return weft.make("th", { scope: "col", class: column.text ? "text" : null, "aria-sort": sorted }, inside);
          }),
        ),
      );
    }
    function cell_of(cell, column) {
      const text = text_of(cell, column, context.units);
      const mark = cell !== null && typeof cell === "object" && cell.mark;
      return weft.make(
        "td",
        { class: `${column.text ? "text" : ""} ${column.code ? "code" : ""}` },
        text,
        mark ? weft.make("span", { class: "mark" }, mark) : null,
      );
    }
    function shown_rows() {
      let list = spec.rows;
      if (words) {
        const parts = words.toLowerCase().split(/\s+/);
        list = list.filter((row) => {
          if (row.group !== undefined) return false;
          const text = row
            .map((cell, ix) => text_of(cell, spec.columns[ix], context.units))
            .join(" ")
            .toLowerCase();
          return parts.every((part) => text.includes(part));
        });
      }
      if (order !== null) {
        list = [...list].sort((a, b) => (falling ? -1 : 1) * compare(valueOf(a[order]), valueOf(b[order])));
      }
      return list;
    }
    function fill() {
      fill_head();
      const list = shown_rows(),
        shown = all ? list : list.slice(0, most_rows);
      rows.replaceChildren(
        ...shown.map((row) => {
          if (row.group !== undefined) {
            return weft.make(
              "tr",
              { class: "group" },
              weft.make("th", { colspan: spec.columns.length, scope: "rowgroup" }, row.group),
            );
          }
          const label = spec.select !== undefined ? valueOf(row[spec.select]) : null;
          return weft.make(
            "tr",
            { class: label !== null && label === weft.selected ? "selected" : null },
            ...row.map((cell, ix) => cell_of(cell, spec.columns[ix])),
          );
        }),
      );
      more.hidden = list.length <= most_rows;
      more.textContent = all ? "Show fewer rows" : `Show all ${weft.number(list.length)} rows`;
    }
    if (spec.rows.length > 12 && !grouped) {
      const head_of_figure = element.closest("figure")?.querySelector(".figure-head");
      (head_of_figure && !spec.title ? head_of_figure : element).prepend(
        weft.make("input", {
          type: "search",
          placeholder: `Filter ${weft.number(spec.rows.length)} rows`,
          "aria-label": "Filter rows",
          oninput: (event) => {
            words = event.target.value.trim();
            fill();
          },
        }),
      );
    }
    element.append(scroll, more);
    fill();
    context.on_change(fill);
    context.on_select(fill);
    context.exports(element, {
      csv: () =>
        weft.csv([
          spec.columns.map((column) => head_of(column, context.units)),
          ...shown_rows().map((row) =>
            row.group !== undefined
              ? [row.group]
              : row.map((cell, ix) => {
                  const value = valueOf(cell);
                  const clock = cell !== null && typeof cell === "object" ? cell.clock : undefined;
                  return typeof value === "number"
                    ? context.units.convert(value, spec.columns[ix].quantity, clock)
                    : value;
                }),
          ),
        ]),
    });
  });

  weft.figure("tiles", (element, spec, context) => {
    const fill = () =>
      element.replaceChildren(
        weft.make(
          "dl",
          { class: "tiles" },
          ...spec.tiles.map((tile) => {
            const units = context.units;
            let value = tile.text,
              unit = "";
            if (tile.value !== null && tile.value !== undefined) {
              const timed = tile.quantity === "bytes" || tile.quantity === "seconds";
              value = timed
                ? weft.quantity(tile.value, tile.quantity, units, 3)
                : (tile.short ? weft.short : weft.number)(units.convert(tile.value, tile.quantity), tile.digits || 4);
              unit = timed ? "" : tile.unit || units.label(tile.quantity);
              if (tile.plus_minus > 0)
                unit = "± " + weft.number(units.convert(tile.plus_minus, tile.quantity), 2) + " " + unit;
            }
            return weft.make(
              "div",
              { class: tile.warning ? "tile warning" : "tile" },
              weft.make("dt", {}, tile.label),
              weft.make(
                "dd",
                {},
                weft.make("b", {}, value ?? ""),
                unit ? " " : null,
                unit ? weft.make("span", {}, unit) : null,
                tile.note ? weft.make("small", {}, tile.note) : null,
              ),
            );
          }),
        ),
      );
    fill();
    context.on_change(fill);
  });

  weft.figure("text", (element, spec) => element.append(weft.make("pre", { tabindex: "0" }, spec.text)));
})();
