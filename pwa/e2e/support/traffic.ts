/**
 * Owns what a phone says to anybody, every byte of it, and the search for positions in it: near a track, in any of the
 * ways in which programs write them.
 */
import type { Page } from "@playwright/test";
import type { Fix } from "./tracks";

/** So far around the track a position still tells where the walk was. */
const MARGIN_DEGREES = 0.005;

interface Said {
  /** To whom, or what it is. */
  to: string;
  bytes: Buffer;
}

/** Everything that a page, and the workers beside it, have sent since this was made. */
export class Traffic {
  #said: Said[] = [];

  constructor(page: Page) {
    page.context().on("request", (request) => {
      const head = [request.method(), request.url(), ...Object.entries(request.headers()).flat()].join("\n");
      const body = request.postDataBuffer() ?? Buffer.alloc(0);
      this.#said.push({
        to: new URL(request.url()).pathname,
        bytes: Buffer.concat([Buffer.from(`${head}\n\n`), body]),
      });
    });
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => this.#said.push({ to: "WebSocket", bytes: Buffer.from(payload) })),
    );
  }

  /** Returns everything sent since the last call. */
  take(): Said[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }
}

/** Each position near the track in what was said: to whom, and how it is written. */
export const positionsSaid = (said: readonly Said[], track: readonly Fix[]): string[] =>
  said.flatMap(({ to, bytes }) => positionsIn(bytes, track).map((it) => `${to}: ${it}`));

/** The ways in which positions near the track are written in these bytes; empty where there are none. */
export function positionsIn(bytes: Buffer, track: readonly Fix[]): string[] {
  const box = around(track);
  const text = unescaped(bytes.toString("latin1"));
  const found = new Set([...inText(text, box), ...inNumbers(bytes, box)]);
  for (const [token] of text.matchAll(/[\w+/-]{24,}/g)) {
    const inside = Buffer.from(token, "base64");
    for (const it of [...inText(inside.toString("latin1"), box), ...inNumbers(inside, box)]) {
      found.add(`${it} in base64`);
    }
  }
  return [...found];
}

type Range = [least: number, most: number];

interface Box {
  lat: Range;
  lon: Range;
  /** Web Mercator in shares of the world, from the north-west. */
  x: Range;
  y: Range;
}

function around(track: readonly Fix[]): Box {
  const range = (numbers: number[]): Range => [
    Math.min(...numbers) - MARGIN_DEGREES,
    Math.max(...numbers) + MARGIN_DEGREES,
  ];
  const [lat, lon] = [range(track.map((it) => it.lat)), range(track.map((it) => it.lon))];
  const x = (degrees: number) => (degrees + 180) / 360;
  const y = (degrees: number) => 0.5 - Math.asinh(Math.tan((degrees * Math.PI) / 180)) / (2 * Math.PI);
  return { lat, lon, x: [x(lon[0]), x(lon[1])], y: [y(lat[1]), y(lat[0])] };
}

const isIn = (number: number, [least, most]: Range): boolean => least <= number && number <= most;

/** Undoes the escapes of JSON and of URLs. */
const unescaped = (text: string): string =>
  text
    .replaceAll("\\\\", "\\")
    .replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

function inText(text: string, box: Box): string[] {
  const found: string[] = [];
  const isSide = (degrees: number) => isIn(degrees, box.lat) || isIn(degrees, box.lon);
  for (const [number] of text.matchAll(/-?\d{1,3}\.\d{2,}/g)) if (isSide(Number(number))) found.push("degrees");
  for (const [number] of text.matchAll(/(?<![\w.-])-?\d{6,11}(?![\w.])/g)) {
    for (const scale of [1e4, 1e5, 1e6, 1e7]) if (isSide(Number(number) / scale)) found.push("scaled degrees");
  }
  for (const [, one, other] of text.matchAll(/(?<![\d.])(\d{2,6})(?=[-/,_](\d{2,6})(?!\d))/g)) {
    for (let zoom = 8; zoom <= 19; zoom += 1) {
      const is = (tile: number, range: Range) => isIn(tile, [Math.floor(range[0] * 2 ** zoom), range[1] * 2 ** zoom]);
      if (is(Number(one), box.x) && is(Number(other), box.y)) found.push("a map tile");
    }
  }
  for (const [line] of text.matchAll(/[?-~]{6,}/g)) if (hasPolyline(line, box)) found.push("a polyline");
  return found;
}

/** True if an encoded polyline anywhere in the text could begin near the track. */
function hasPolyline(text: string, box: Box): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const [lat, next] = polylineNumber(text, at);
    const [lon] = polylineNumber(text, next);
    for (const scale of [1e5, 1e6, 1e7]) if (isIn(lat / scale, box.lat) && isIn(lon / scale, box.lon)) return true;
  }
  return false;
}

function polylineNumber(text: string, from: number): [number: number, next: number] {
  let [value, factor, at] = [0, 1, from];
  for (; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 63;
    value += (digit & 31) * factor;
    factor *= 32;
    if (digit < 32) break;
  }
  return [value % 2 === 1 ? -(value + 1) / 2 : value / 2, at + 1];
}

/** Pairs of binary numbers within a few bytes of each other. */
function inNumbers(bytes: Buffer, box: Box): string[] {
  const found = new Set<string>();
  const look = (what: string, size: number, read: (at: number) => number, lat: Range, lon: Range) => {
    for (let at = 0; at + size <= bytes.length; at += 1) {
      if (!isIn(read(at), lat)) continue;
      for (let other = Math.max(0, at - 3 * size); other <= at + 3 * size && other + size <= bytes.length; other += 1) {
        if (isIn(read(other), lon)) found.add(what);
      }
    }
  };
  const scaled = ([least, most]: Range, scale: number): Range => [least * scale, most * scale];
  for (const scale of [1e6, 1e7]) {
    const [lat, lon] = [scaled(box.lat, scale), scaled(box.lon, scale)];
    look("binary integers", 4, (at) => bytes.readInt32LE(at), lat, lon);
    look("binary integers", 4, (at) => bytes.readInt32BE(at), lat, lon);
  }
  for (const scale of [2 ** 26, 2 ** 32]) {
    const [y, x] = [scaled(box.y, scale), scaled(box.x, scale)];
    look("binary steps of the map", 4, (at) => bytes.readUInt32LE(at), y, x);
    look("binary steps of the map", 4, (at) => bytes.readUInt32BE(at), y, x);
  }
  look("binary floats", 4, (at) => bytes.readFloatLE(at), box.lat, box.lon);
  look("binary floats", 4, (at) => bytes.readFloatBE(at), box.lat, box.lon);
  look("binary floats", 8, (at) => bytes.readDoubleLE(at), box.lat, box.lon);
  look("binary floats", 8, (at) => bytes.readDoubleBE(at), box.lat, box.lon);
  return [...found];
}
