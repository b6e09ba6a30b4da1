import { Agent, request } from "node:https";
import { afterAll, beforeAll } from "vitest";
import type { JsonObject } from "@/server/standards/json";
import { startVcApi, type VcApi } from "./server";

export let api: VcApi;

export let agent: Agent;

export function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: JsonObject }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${api.origin}${path}`, { method, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, body: JSON.parse(text) as JsonObject }));
    });
    sent
      .on("error", reject)
      .end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  });
}

export const credential = (more: JsonObject = {}): JsonObject => ({
  "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"],
  type: ["VerifiableCredential"],
  issuer: api.did,
  credentialSubject: { id: "did:example:ada", alumniOf: "Example University" },
  ...more,
});

export const issue = (more: JsonObject = {}, options: JsonObject = {}) =>
  call("POST", "/credentials/issue", { credential: credential(more), options });

export const verify = (verifiableCredential: unknown) =>
  call("POST", "/credentials/verify", { verifiableCredential, options: {} });

/** Starts the VC-API for the tests of a file. */
export function serveVcApi(): void {
  beforeAll(async () => {
    api = await startVcApi();
    agent = new Agent({ ca: api.ca });
  });
  afterAll(() => api.close());
}
