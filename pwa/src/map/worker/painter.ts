/** Owns putting a sheet of the map on a canvas: grounds first, then streets with their edges, paths, and names on top. */
import type { LineClass, MapKinds, Mark, MarkKind } from "../../core/map";
import { DASHES, type MapTheme, PALETTES, type Palette, SIGNS, WIDTHS, WIDTHS_ZOOM } from "./palette";

export interface PaintedSheet {
  batches: Uint32Array;
  points: Float32Array;
  marks: readonly Mark[];
}

/** Values of a batch's first number. */
const AREAS = 0;
const LINES = 1;

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Paths begin to have a seam here; before, everything would be seam. */
const SEAMS_FROM_ZOOM = 15;
/** By how much a seam makes a path wider, in px. */
const SEAM_PX = 2.4;
/** Sleepers of rails are told apart from here on. */
const SLEEPERS_FROM_ZOOM = 15;
/** How wide a sleeper is, in multiples of the rails' width; its dashes are in multiples of its own. */
const SLEEPER = { width: 3, dashes: [0.3, 1.6] };
const FINE_BEFORE_ZOOM = 16;
/** The edge of a street on each side, in px: finer where streets are close together. */
const edgePx = (zoom: number): number => (zoom >= FINE_BEFORE_ZOOM ? 1.1 : 0.8);
/** A tree's radius in px: so much at zoom 17, and by half more with each zoom. */
const treePx = (zoom: number): number => 2 * 1.5 ** (zoom - 17);
const HALO_PX = 3.2;
/** A smaller sign is its picture alone; larger ones stand on a plate. */
const PLATE_FROM_PX = 14;
/** How much of its plate a picture takes. */
const SHARE_OF_PLATE = 0.68;
/** Pictures of signs are drawn on a square of so much. */
const SIGN_SIDE = 24;

type Context = OffscreenCanvasRenderingContext2D;

/** The letters of a name. */
export function fontOf(kind: MarkKind | "measured", px: number): string {
  const weight = kind === "town" ? 650 : kind === "suburb" || kind === "village" || kind === "road" ? 600 : 500;
  const style = kind === "water" ? "italic " : "";
  return `${style}${weight} ${px}px ${FONT}`;
}

export function paint(context: Context, sheet: PaintedSheet, kinds: MapKinds, theme: MapTheme, zoom: number): void {
  const palette = PALETTES[theme];
  context.lineJoin = "round";
  const lines = new Map<LineClass, Path2D>();
  let trees: Path2D | undefined;
  for (const batch of read(sheet)) {
    if (batch.what === AREAS) {
      const kind = kinds.areas[batch.kind];
      if (kind) paintArea(context, batch, palette.areas[kind]);
    } else if (batch.what === LINES) {
      const line = kinds.lines[batch.kind];
      if (line) lines.set(line, pathOf(batch, false));
    } else {
      trees = dots(batch, treePx(zoom));
    }
  }
  const width = (line: LineClass) => WIDTHS[line][0] * WIDTHS[line][1] ** (zoom - WIDTHS_ZOOM);
  const drawn = kinds.lines.filter((it) => lines.has(it));
  const stroke = (line: LineClass, color: string, px: number, dashes?: number[]) => {
    const path = lines.get(line);
    if (!path) return;
    context.strokeStyle = color;
    context.lineWidth = px;
    context.setLineDash(dashes?.map((it) => it * px) ?? []);
    context.stroke(path);
  };
  const isPath = (line: LineClass) => kinds.lines.indexOf(line) >= kinds.lines.indexOf("crossing");
  const hasEdge = (line: LineClass) => palette.lines[line].casing !== undefined;
  const isBelow = (line: LineClass) => !isPath(line) && !hasEdge(line);
  // Below all streets: water, rails, walls.
  for (const line of drawn.filter(isBelow)) {
    context.lineCap = "butt";
    stroke(line, palette.lines[line].color, width(line), DASHES[line]);
    if (line === "rail" && zoom >= SLEEPERS_FROM_ZOOM)
      stroke(line, palette.lines[line].color, width(line) * SLEEPER.width, SLEEPER.dashes);
  }
  if (trees) {
    context.fillStyle = palette.tree;
    context.fill(trees);
  }
  // The edges of all streets, then all streets: crossings stay open.
  context.lineCap = "round";
  const streets = drawn.filter((it) => !isPath(it) && hasEdge(it));
  for (const line of streets) stroke(line, palette.lines[line].casing ?? "", width(line) + 2 * edgePx(zoom));
  for (const line of streets) stroke(line, palette.lines[line].color, width(line));
  const paths = drawn.filter(isPath);
  if (zoom >= SEAMS_FROM_ZOOM) {
    for (const line of paths) {
      const { casing } = palette.lines[line];
      if (casing) stroke(line, casing, width(line) + SEAM_PX);
    }
  }
  for (const line of paths) {
    context.lineCap = DASHES[line] ? "butt" : "round";
    stroke(line, palette.lines[line].color, width(line), DASHES[line]);
  }
  context.setLineDash([]);
  for (const mark of sheet.marks) paintMark(context, mark, palette);
}

interface Batch {
  what: number;
  kind: number;
  hasHoles: boolean;
  lengths: Uint32Array;
  /** Coordinates of all its lines, x and y by turns. */
  points: Float32Array;
}

function* read({ batches, points }: PaintedSheet): Generator<Batch> {
  let from = 0;
  for (let at = 0; at + 3 < batches.length; ) {
    const [what = 0, kind = 0, holes = 0, n = 0] = batches.subarray(at, at + 4);
    const lengths = batches.subarray(at + 4, at + 4 + n);
    const count = lengths.reduce((sum, it) => sum + it, 0);
    yield { what, kind, hasHoles: holes === 1, lengths, points: points.subarray(from, from + 2 * count) };
    from += 2 * count;
    at += 4 + n;
  }
}

function pathOf({ lengths, points }: Batch, isClosed: boolean): Path2D {
  const path = new Path2D();
  let at = 0;
  for (const length of lengths) {
    path.moveTo(points[at] ?? 0, points[at + 1] ?? 0);
    const end = at + 2 * length;
    for (at += 2; at < end; at += 2) path.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
    if (isClosed) path.closePath();
  }
  return path;
}

function dots({ points }: Batch, radius: number): Path2D {
  const path = new Path2D();
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x = 0, y = 0] = points.subarray(at, at + 2);
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  }
  return path;
}

function paintArea(context: Context, batch: Batch, color: string): void {
  context.fillStyle = color;
  context.fill(pathOf(batch, true), batch.hasHoles ? "evenodd" : "nonzero");
}

function paintMark(context: Context, { kind, text, x, y, angle, letters, sign }: Mark, palette: Palette): void {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  if (sign > 0) paintSign(context, kind, text ? -letters / 2 : 0, sign, palette);
  if (text) {
    context.font = fontOf(kind, letters);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.strokeStyle = palette.halo;
    context.lineWidth = HALO_PX;
    context.strokeText(text, 0, sign / 2);
    context.fillStyle = palette.text[kind] ?? palette.text.plain;
    context.fillText(text, 0, sign / 2);
  }
  context.restore();
}

const pictures = new Map<MarkKind, Path2D>();

function paintSign(context: Context, kind: MarkKind, y: number, size: number, palette: Palette): void {
  const made = pictures.get(kind) ?? new Path2D(SIGNS[kind] ?? "");
  pictures.set(kind, made);
  const ink = palette.sign[kind] ?? palette.sign.ink;
  const isBare = size < PLATE_FROM_PX;
  if (!isBare) {
    context.beginPath();
    context.arc(0, y, size / 2, 0, 2 * Math.PI);
    context.fillStyle = palette.sign.ground;
    context.fill();
    context.strokeStyle = palette.sign.edge;
    context.lineWidth = 1;
    context.stroke();
  }
  const scale = (isBare ? size : size * SHARE_OF_PLATE) / SIGN_SIDE;
  context.save();
  context.translate((-SIGN_SIDE / 2) * scale, y - (SIGN_SIDE / 2) * scale);
  context.scale(scale, scale);
  if (isBare) {
    context.strokeStyle = palette.halo;
    context.lineWidth = HALO_PX / scale;
    context.stroke(made);
  }
  context.fillStyle = ink;
  context.fill(made);
  context.restore();
}
