import { afterAll, beforeAll, vi } from "vitest";
import { createApiKey } from "@/server/access/create-api-key";
import { closeOutbound } from "@/server/outbound/request";
import { listenHttp, type Listener } from "@/server/outbound/testing/listener";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import type { JsonObject } from "@/server/standards/json";
import { Bitstring } from "@/server/standards/status-list/bitstring";
import { statusEntry, statusListCredential } from "@/server/standards/status-list/list-credential";
import { badge, keyIssuer } from "@/server/standards/testing/issuer";
import { world, type World } from "@/server/testing/world";

export const issuer = keyIssuer();

export const rdfc = suiteOf("eddsa-rdfc-2022")!;

export const created = new Date("2026-01-31T00:00:00Z");

export const sign = (more: JsonObject = {}, document = badge(issuer.did, more)) =>
  signDocument(document, rdfc, issuer, { created });

export interface Verified {
  result: string;
  reason: string | null;
  credential: { title: string };
  checks: { name: string; outcome: string; detail: string }[];
  errors: { pointer: string }[];
}

export const outcomes = (answer: Verified) =>
  Object.fromEntries(answer.checks.map(({ name, outcome }) => [name, outcome]));

export let w: World;

export let token: string;

export let host: Listener;

/** The status list that the issuer serves; undefined while it answers 503. */
export const served: { list: Bitstring | undefined } = { list: undefined };

export const withStatus = () =>
  sign({ credentialStatus: statusEntry(`http://127.0.0.1:${host.port}/revocation`, "revocation", 7) });

/** Starts the status list of the issuer, and makes an organisation that verifies. */
export function serveForeignIssuer(): void {
  beforeAll(async () => {
    vi.stubEnv("OUTBOUND_ALLOW_CIDRS", "127.0.0.1/32");
    w = await world();
    token = (await createApiKey(w.ctx, { name: "verifier" })).secret;
    host = await listenHttp(async (_, response) => {
      const { list } = served;
      if (!list) return void response.writeHead(503).end();
      const url = `http://127.0.0.1:${host.port}/revocation`;
      const now = Date.now();
      const unsigned = statusListCredential(list, {
        url,
        issuer: issuer.did,
        purpose: "revocation",
        validFrom: new Date(now - 60_000),
        validUntil: new Date(now + 60_000),
        ttlMs: 300_000,
      });
      response
        .setHeader("content-type", "application/vc")
        .end(JSON.stringify(await signDocument(unsigned, rdfc, issuer, { created })));
    });
  });
  afterAll(async () => {
    await closeOutbound();
    await host.close();
    vi.unstubAllEnvs();
  });
}
