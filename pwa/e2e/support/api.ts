/** Owns the calls that a test makes itself, past the phones and their network: to prepare a business and to check it. */
import { randomBytes } from "node:crypto";

/** Rows as the API gives them, as far as tests look. */
export interface ClientRow {
  id: string;
  name: string;
  phone: string;
  address: string;
  access_notes: string;
  dogs: { id: string; name: string; photo: string | null }[];
}

export interface ServiceRow {
  id: string;
  client_id: string;
  client_name: string;
  dogs: string[];
  service_type: "walk" | "dropin";
  date: string;
  start_time: string;
  duration_minutes: number;
  status: "scheduled" | "completed" | "cancelled";
  notes: string | null;
  internal_notes: string | null;
  completion_notes: string | null;
  price: number;
}

export interface OfferingRow {
  id: string;
  name: string;
  base_price: number;
  category: string;
  is_active: boolean;
  display_order: number;
}

/** A person's credentials, with the name for a new account. */
export interface SignIn {
  name: string;
  email: string;
  password: string;
}

let people = 0;

/** Somebody whom no server knows yet. */
export function somebody(): SignIn {
  people += 1;
  return { name: "Robin Sitter", email: `robin${people}@example.com`, password: "seven quiet leashes" };
}

export class Api {
  readonly #origin: string;
  readonly #token: string | undefined;

  constructor(origin: string, token?: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** Calls and gives the data; anything but success throws. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#origin}/api${path}`, {
      method,
      headers: {
        ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  }

  /** The bytes of a file, as a text with its byte order mark. */
  async text(path: string): Promise<string> {
    const headers = { Authorization: `Bearer ${this.#token ?? ""}` };
    const response = await fetch(`${this.#origin}/api${path}`, { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
    return Buffer.from(await response.arrayBuffer()).toString("utf8");
  }

  /** Sends a form with a file. */
  async upload<T>(path: string, form: FormData): Promise<T> {
    const headers = { Authorization: `Bearer ${this.#token ?? ""}` };
    const response = await fetch(`${this.#origin}/api${path}`, { method: "POST", headers, body: form });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  }

  /** Sends bytes as they are. */
  async send<T>(method: string, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<T> {
    const headers = { Authorization: `Bearer ${this.#token ?? ""}`, "Content-Type": "application/octet-stream" };
    const response = await fetch(`${this.#origin}/api${path}`, { method, headers, body: bytes });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  }

  /** A session of its own, as on another phone. */
  async signIn({ email, password }: SignIn): Promise<Api> {
    const { token } = await this.call<{ token: string }>("POST", "/auth/signin", { email, password });
    return new Api(this.#origin, token);
  }

  /** By an invitation for this e-mail, so that no code has to come by mail. */
  async signUp(who: SignIn, time_zone: string, invitation: string): Promise<Api> {
    const { token } = await this.call<{ token: string }>("POST", "/auth/signup", { ...who, time_zone, invitation });
    return new Api(this.#origin, token);
  }

  clients = () => this.call<ClientRow[]>("GET", "/clients");
  services = () => this.call<ServiceRow[]>("GET", "/scheduled-services");
  offerings = () => this.call<OfferingRow[]>("GET", "/sitter-services");

  addClient(name: string, ...dogs: string[]): Promise<ClientRow> {
    return this.call("POST", "/clients", {
      name,
      phone: "(555) 010-4477",
      address: "18 Alder Street",
      access_notes: "Key 14, lockbox",
      dogs: dogs.map((dog) => ({ name: dog })),
    });
  }

  /** A walk of half an hour with all of the client's dogs, unless told otherwise. */
  schedule(
    client: ClientRow,
    date: string,
    start_time: string,
    changes: Partial<ServiceRow> = {},
  ): Promise<ServiceRow> {
    return this.call("POST", "/scheduled-services", {
      client_id: client.id,
      dog_ids: client.dogs.map((it) => it.id),
      service_type: "walk",
      date,
      start_time,
      duration_minutes: 30,
      overlap_ok: true,
      ...changes,
    });
  }

  /** After this no session of the sitter counts any more but this one. */
  changePassword({ password }: SignIn, next = randomBytes(9).toString("base64url")): Promise<string> {
    const body = { current_password: password, new_password: next };
    return this.call("POST", "/auth/change-password", body).then(() => next);
  }
}
