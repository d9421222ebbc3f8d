/** Owns what the demo's pictures are drawn with: shapes as SVG. */

/** How wide and how high a portrait is. */
export const SIZE = 320;

export const INK = "#2b2522";

export const oval = (cx, cy, rx, ry, fill, more = "") => `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;
export const path = (d, fill, more = "") => `<path d="${d}" fill="${fill}" ${more}/>`;
export const line = (d, color, width, more = "") =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
/** Something and its mirror image. */
export const both = (part) => `${part}<g transform="translate(${SIZE} 0) scale(-1 1)">${part}</g>`;

/** An oval with tufts of fur for an edge. */
export function fur(cx, cy, rx, ry, tufts, depth, fill) {
  const at = (angle, far) => [cx + (rx + far) * Math.cos(angle), cy + (ry + far) * Math.sin(angle)].map((it) => it.toFixed(1)).join(" ");
  let d = `M${at(-Math.PI / 2, 0)}`;
  for (let n = 0; n < tufts; n += 1) {
    const from = -Math.PI / 2 + (n * 2 * Math.PI) / tufts;
    const step = (2 * Math.PI) / tufts;
    d += `Q${at(from + step * 0.35, depth * 0.9)} ${at(from + step * 0.72, depth)}Q${at(from + step * 0.8, depth * 0.2)} ${at(from + step, 0)}`;
  }
  return path(`${d}Z`, fill);
}
