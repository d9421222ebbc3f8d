/** Owns a mirror of OpenStreetMap extracts as Geofabrik's is, with one region whose first download breaks off. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";

const EXTRACT = resolve(import.meta.dirname, "../../../server/demo/helsinki.osm.pbf");
const PATH = "/europe/uusimaa-latest.osm.pbf";
/** Corners of the region, longitude before latitude. */
const SQUARE = [
  [24, 60],
  [26, 60],
  [26, 61],
  [24, 61],
  [24, 60],
];

export interface MapMirror {
  origin: string;
  /** The bytes from which each download of the extract began. */
  begun: number[];
  close: () => Promise<void>;
}

export async function startMapMirror(): Promise<MapMirror> {
  const extract = await readFile(EXTRACT);
  const sum = createHash("md5").update(extract).digest("hex");
  const begun: number[] = [];
  const listener = createServer((request, answer) => {
    if (request.url === "/index-v1.json") {
      const properties = { id: "uusimaa", parent: "europe", name: "Uusimaa", urls: { pbf: `${mirror.origin}${PATH}` } };
      const region = { type: "Feature", properties, geometry: { type: "Polygon", coordinates: [SQUARE] } };
      return answer.end(JSON.stringify({ type: "FeatureCollection", features: [region] }));
    }
    if (request.url === `${PATH}.md5`) return answer.end(`${sum}  uusimaa-latest.osm.pbf\n`);
    if (request.url !== PATH) return answer.writeHead(404).end();
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    begun.push(from);
    const rest = extract.subarray(from);
    const range = from > 0 && { "Content-Range": `bytes ${from}-${extract.length - 1}/${extract.length}` };
    answer.writeHead(from > 0 ? 206 : 200, { ...range, "Content-Length": rest.length, ETag: `"${sum}"` });
    if (begun.length > 1) return answer.end(rest);
    return answer.write(rest.subarray(0, extract.length / 2), () => answer.destroy());
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const close = () => new Promise<void>((done) => listener.close(() => done()));
  const mirror = { origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, begun, close };
  return mirror;
}
