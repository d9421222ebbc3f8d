/** Owns a geocoder that stands in for Photon: answers in its form, and fails as it does. */
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";

export class Geocoder {
  readonly #server: HttpServer;
  /** Behavior from the next request on: it finds an address, finds none, or breaks. */
  mood: "well" | "nothing" | "broken" = "well";
  readonly asked: string[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? "");
      response.writeHead(this.mood === "broken" ? 503 : 200, { "Content-Type": "application/json" });
      if (this.mood === "broken") response.end("upstream is down");
      else response.end(JSON.stringify({ type: "FeatureCollection", features: this.mood === "well" ? [HOUSE] : [] }));
    });
  }

  static async start(): Promise<Geocoder> {
    const geocoder = new Geocoder();
    await new Promise<void>((done) => geocoder.#server.listen(0, "127.0.0.1", done));
    return geocoder;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((done) => this.#server.close(done));
  }
}

const HOUSE = {
  type: "Feature",
  geometry: { type: "Point", coordinates: [-76.6165, 39.3289] },
  properties: {
    type: "house",
    housenumber: "2905",
    street: "North Charles Street",
    postcode: "21218",
    city: "Baltimore",
    state: "Maryland",
    country: "United States",
    countrycode: "US",
  },
};
