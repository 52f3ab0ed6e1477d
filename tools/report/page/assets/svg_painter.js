// What figures draw on a canvas, written down as SVG: the calls of CanvasRenderingContext2D that they use.
(function () {
  "use strict";
  const weft = (window.weft = window.weft || {});
  const place = (v) => Math.round(v * 100) / 100;
  const escaped = (text) =>
    String(text)
      .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");

  class SvgPainter {
    constructor(width, height) {
      this.size = [width, height];
      this.parts = [];
      this.clips = 0;
      this.saved = [];
      Object.assign(this, {
        fillStyle: "#000",
        strokeStyle: "#000",
        lineWidth: 1,
        globalAlpha: 1,
        lineCap: "butt",
        font: "12px sans-serif",
        textAlign: "left",
        textBaseline: "alphabetic",
        imageSmoothingEnabled: true
      });
      this.state = { x: 0, y: 0, open: 0, dash: "" };
      this.path = "";
    }
    save() {
      const { fillStyle, strokeStyle, lineWidth, globalAlpha, lineCap, font, textAlign, textBaseline } = this;
      this.saved.push([
        { ...this.state },
        { fillStyle, strokeStyle, lineWidth, globalAlpha, lineCap, font, textAlign, textBaseline }
      ]);
      this.state.open = 0;
    }
    restore() {
      this.parts.push("</g>".repeat(this.state.open));
      const [state, style] = this.saved.pop();
      this.state = state;
      Object.assign(this, style);
    }
    translate(x, y) {
      this.state.x += x;
      this.state.y += y;
    }
    setLineDash(list) {
      this.state.dash = list.length ? ` stroke-dasharray="${list.join(" ")}"` : "";
    }
    at(x, y) {
      return `${place(x + this.state.x)} ${place(y + this.state.y)}`;
    }
    beginPath() {
      this.path = "";
    }
    moveTo(x, y) {
      this.path += `M${this.at(x, y)}`;
    }
    lineTo(x, y) {
      this.path += `L${this.at(x, y)}`;
    }
    closePath() {
      this.path += "Z";
    }
    quadraticCurveTo(cx, cy, x, y) {
      this.path += `Q${this.at(cx, cy)} ${this.at(x, y)}`;
    }
    rect(x, y, w, h) {
      this.path += `M${this.at(x, y)}h${place(w)}v${place(h)}h${place(-w)}Z`;
    }
    /// Whole circles only.
    arc(x, y, r) {
      this.path += `M${this.at(x - r, y)}a${place(r)} ${place(r)} 0 1 0 ${place(2 * r)} 0a${place(r)} ${place(r)} 0 ` +
        `1 0 ${place(-2 * r)} 0Z`;
    }
    clip() {
      const id = `clip${this.clips++}`;
      this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`);
      ++this.state.open;
    }
    alpha() {
      return this.globalAlpha < 1 ? ` opacity="${place(this.globalAlpha)}"` : "";
    }
    fill() {
      this.parts.push(`<path d="${this.path}" fill="${escaped(this.fillStyle)}"${this.alpha()}/>`);
    }
    stroke() {
      this.parts.push(
        `<path d="${this.path}" fill="none" stroke="${escaped(this.strokeStyle)}" ` +
        `stroke-width="${place(this.lineWidth)}" ` +
          `stroke-linecap="${this.lineCap}"${this.state.dash}${this.alpha()}/>`
      );
    }
    fillRect(x, y, w, h) {
      this.parts.push(
        `<rect x="${place(x + this.state.x)}" y="${place(y + this.state.y)}" width="${place(w)}" ` +
        `height="${place(Math.min(h, this.size[1]))}" ` +
          `fill="${escaped(this.fillStyle)}"${this.alpha()}/>`
      );
    }
    strokeRect(x, y, w, h) {
      this.beginPath();
      this.rect(x, y, w, h);
      this.stroke();
    }
    fillText(text, x, y) {
      const anchor = { center: "middle", right: "end", end: "end" }[this.textAlign] || "start";
      const base = { middle: "central", top: "hanging" }[this.textBaseline] || "auto";
      this.parts.push(
        `<text x="${place(x + this.state.x)}" y="${place(y + this.state.y)}" style="font:${escaped(this.font)}" ` +
        `text-anchor="${anchor}" ` +
          `dominant-baseline="${base}" fill="${escaped(this.fillStyle)}"${this.alpha()}>${escaped(text)}</text>`
      );
    }
    measureText(text) {
      return { width: 6.2 * String(text).length };
    }
    drawImage(image, x, y, w, h) {
      this.parts.push(
        `<image x="${place(x + this.state.x)}" y="${place(y + this.state.y)}" width="${place(w)}" ` +
        `height="${place(h)}" ` +
          `preserveAspectRatio="none" style="image-rendering:pixelated" href="${image.toDataURL("image/png")}"/>`
      );
    }
    text() {
      const [w, h] = this.size;
      return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ` +
        `${h}">${this.parts.join("\n")}</svg>\n`;
    }
  }
  weft.SvgPainter = SvgPainter;
})();
