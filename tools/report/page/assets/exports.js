// Files out of figures: PNG, SVG and CSV, and the buttons for them.
(function () {
  "use strict";
  const weft = window.weft;

  const name_of = (element) => {
    const title = (element.closest("figure")?.getAttribute("aria-label") || document.title).toLowerCase();
    return (
      title
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 60) || "figure"
    );
  };

  function save(blob, name) {
    const link = weft.make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  const makers = {
    png: async (make) => new Promise((done) => make().toBlob(done, "image/png")),
    svg: async (make) => new Blob([make()], { type: "image/svg+xml" }),
    csv: async (make) => new Blob([make()], { type: "text/csv;charset=utf-8" }),
  };

  /// Adds buttons to the figure that the element is in: {png: () => canvas, svg: () => string, csv: () => string}.
  weft.exports = (element, ways) => {
    const tools = element.closest("figure")?.querySelector(".figure-tools");
    if (!tools) return;
    tools.querySelector(".exports")?.remove();
    const group = weft.make("span", { class: "exports" });
    for (const kind of ["png", "svg", "csv"]) {
      if (!ways[kind]) continue;
      group.append(
        weft.make(
          "button",
          {
            type: "button",
            "data-export": kind,
            title: `Save as ${kind.toUpperCase()}`,
            onclick: async () => save(await makers[kind](ways[kind]), `${name_of(element)}.${kind}`),
          },
          kind.toUpperCase(),
        ),
      );
    }
    tools.append(group);
  };

  /// A cell of RFC 4180; what a spreadsheet would take for a formula gets a ' in front.
  weft.csv_cell = (value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
    let text = String(value);
    if (/^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  weft.csv = (rows) => rows.map((row) => row.map(weft.csv_cell).join(",")).join("\n") + "\n";

  /// Text inside of XML.
  weft.xml = (text) =>
    String(text)
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "?")
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/"/g, "&quot;");
})();
