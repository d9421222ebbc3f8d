/** Owns a walking directions service that stands in for one of others: answers in its form, and fails as it does. */
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";

export class DirectionsService {
  readonly #server: HttpServer;
  /** Behavior from the next request on: it answers, knows no way, or breaks. */
  mood: "well" | "no_route" | "broken" = "well";
  readonly asked: string[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://directions");
      this.asked.push(url.pathname + url.search);
      const status = this.mood === "broken" ? 503 : 200;
      response.writeHead(status, { "Content-Type": "application/json" });
      if (this.mood === "broken") response.end("upstream is down");
      else if (this.mood === "no_route") response.end(JSON.stringify({ code: "NoRoute", routes: [] }));
      else response.end(JSON.stringify(answer(url.pathname)));
    });
  }

  static async start(): Promise<DirectionsService> {
    const service = new DirectionsService();
    await new Promise<void>((done) => service.#server.listen(0, "127.0.0.1", done));
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((done) => this.#server.close(done));
  }
}

/** Straight from place to place, with a leg for each. */
function answer(path: string) {
  const places = (path.split("/").at(-1) ?? "").split(";").map((it) => it.split(",").map(Number) as [number, number]);
  const legs = places.slice(1).map((to, at) => {
    const from = places[at] ?? to;
    const meters = Math.hypot((to[0] - from[0]) * Math.cos((to[1] * Math.PI) / 180), to[1] - from[1]) * 111_320;
    const step = (type: string, location: [number, number], distance: number) => ({
      distance,
      duration: distance / 1.4,
      name: `Street ${at + 1}`,
      maneuver: { type, location, bearing_before: 0, bearing_after: 0 },
    });
    return { distance: meters, duration: meters / 1.4, steps: [step("depart", from, meters), step("arrive", to, 0)] };
  });
  const distance = legs.reduce((sum, it) => sum + it.distance, 0);
  return {
    code: "Ok",
    routes: [{ distance, duration: distance / 1.4, geometry: { type: "LineString", coordinates: places }, legs }],
  };
}
