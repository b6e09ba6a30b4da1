import { randomBytes } from "node:crypto";
import { call } from "@/server/testing/request";
import type { AppleAuthority } from "./authority";
import { readPass, type ReadPass } from "./read-pass";

interface Held extends ReadPass {
  lastModified: string | null;
}

/** A simulated phone with Apple Wallet: stores passes by serial number and calls the web service for them. */
export class Phone {
  readonly id = randomBytes(16).toString("hex");
  readonly pushToken = randomBytes(32).toString("hex");
  readonly passes = new Map<string, Held>();
  #tag: string | undefined;

  constructor(private readonly authority: AppleAuthority) {}

  /** Adds a .pkpass file to the wallet and registers for its changes. Returns the HTTP status of the registration. */
  async add(file: Uint8Array): Promise<number> {
    const read = await readPass(file, this.authority);
    this.passes.set(read.pass["serialNumber"] as string, { ...read, lastModified: null });
    return this.register(read.pass);
  }

  async register(pass: ReadPass["pass"], body: object = { pushToken: this.pushToken }): Promise<number> {
    return (await call("POST", this.#registration(pass), { body, headers: authorization(pass) })).status;
  }

  async remove(serial: string): Promise<number> {
    const { pass } = this.passes.get(serial)!;
    this.passes.delete(serial);
    return (await call("DELETE", this.#registration(pass), { headers: authorization(pass) })).status;
  }

  /** Reacts to a push: asks which passes changed and fetches these. Returns the HTTP status by serial number. */
  async update(): Promise<Record<string, number>> {
    const [any] = this.passes.values();
    const statuses: Record<string, number> = {};
    const query = this.#tag === undefined ? "" : `?passesUpdatedSince=${this.#tag}`;
    const path = `/wallet/apple/v1/devices/${this.id}/registrations/${any!.pass["passTypeIdentifier"]}${query}`;
    const answer = await call("GET", path);
    if (answer.status === 204) return statuses;
    const { serialNumbers, lastUpdated } = answer.json<{ serialNumbers: string[]; lastUpdated: string }>();
    for (const serial of serialNumbers) statuses[serial] = await this.fetch(serial);
    this.#tag = lastUpdated;
    return statuses;
  }

  /** Fetches the latest version of a pass and stores it. Returns the HTTP status. */
  async fetch(serial: string): Promise<number> {
    const { pass, lastModified } = this.passes.get(serial)!;
    const answer = await call("GET", `/wallet/apple/v1/passes/${pass["passTypeIdentifier"]}/${serial}`, {
      headers: { ...authorization(pass), ...(lastModified && { "if-modified-since": lastModified }) },
    });
    if (answer.status === 200)
      this.passes.set(serial, {
        ...(await readPass(answer.bytes, this.authority)),
        lastModified: answer.headers.get("last-modified"),
      });
    return answer.status;
  }

  #registration(pass: ReadPass["pass"]): string {
    return `/wallet/apple/v1/devices/${this.id}/registrations/${pass["passTypeIdentifier"]}/${pass["serialNumber"]}`;
  }
}

const authorization = (pass: ReadPass["pass"]) => ({ authorization: `ApplePass ${pass["authenticationToken"]}` });
