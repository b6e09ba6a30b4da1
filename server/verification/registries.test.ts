import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getIssuer } from "@/server/issuers/get";
import { closeOutbound } from "@/server/outbound/request";
import { listenHttp, type Listener } from "@/server/outbound/testing/listener";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import type { JsonObject } from "@/server/standards/json";
import { badge, keyIssuer, type TestIssuer } from "@/server/standards/testing/issuer";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { listingsOf } from "./registries";
import type { Verification } from "./view";

const hour = 60 * 60_000;
const minute = 60_000;
const listed = keyIssuer();
const unlisted = keyIssuer();

/** What each registry lists by DID; null while it does not answer. */
const served: Record<string, Record<string, string> | null> = {
  "/community": { [listed.did]: "Northwind Academy" },
  "/ministry": null,
};
let host: Listener;
let asked = 0;

beforeAll(async () => {
  host = await listenHttp((request, response) => {
    if (request.url === "/community") asked += 1;
    const names = served[request.url!];
    if (!names) return void response.writeHead(503).end();
    const registry = Object.fromEntries(Object.entries(names).map(([did, name]) => [did, { name }]));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ registry }));
  });
  const at = `http://127.0.0.1:${host.port}`;
  vi.stubEnv("OUTBOUND_ALLOW_CIDRS", "127.0.0.1/32");
  vi.stubEnv("ISSUER_REGISTRIES", `Community = ${at}/community, Ministry=${at}/ministry`);
});
afterAll(async () => {
  await closeOutbound();
  await host.close();
  vi.unstubAllEnvs();
});

const verified = async (body: object) => (await call("POST", "/public/verify", { body })).json<Verification>();
const signed = (issuer: TestIssuer) =>
  signDocument(badge(issuer.did), suiteOf("eddsa-rdfc-2022")!, issuer, { created: new Date("2026-01-31") });
const registryCheck = ({ checks }: Verification) => checks.find(({ name }) => name === "issuer_registry");

describe("the registries of issuers", () => {
  it("name a foreign issuer with precedence over its own name, and the answer shows both", async () => {
    const answer = await verified({ credential: await signed(listed) });
    expect(answer).toMatchObject({
      result: "valid",
      credential: {
        issuer: {
          name: "Northwind Academy",
          nameVerified: true,
          slug: "",
          registries: [
            { name: "Community", status: "listed", issuerName: "Northwind Academy", readAt: expect.any(String) },
            { name: "Ministry", status: "unavailable", issuerName: null, readAt: null },
          ],
        },
      },
    });
    expect(registryCheck(answer)).toEqual({
      name: "issuer_registry",
      outcome: "pass",
      detail: expect.stringMatching(
        /^The registry “Community” lists this issuer as Northwind Academy, as of .+\. The issuer calls itself Example University\. The registry “Ministry” could not be read/,
      ),
    });
  });

  it("leave the name of an unlisted issuer unverified, and do not change the result", async () => {
    const answer = await verified({ credential: await signed(unlisted) });
    expect(answer).toMatchObject({
      result: "valid",
      credential: {
        issuer: {
          name: "Example University",
          nameVerified: false,
          registries: [{ status: "not_listed" }, { status: "unavailable" }],
        },
      },
    });
    expect(registryCheck(answer)).toMatchObject({
      outcome: "skipped",
      detail: expect.stringContaining("“Community” does not list this issuer"),
    });
  });

  it("give no name to a forgery that names a listed issuer", async () => {
    const forged = { ...(await signed(listed)), name: "Doctor of Everything" };
    const answer = await verified({ credential: forged });
    expect(answer).toMatchObject({
      result: "invalid",
      reason: "signature_invalid",
      credential: { issuer: { nameVerified: false, registries: [] } },
    });
    expect(JSON.stringify(answer)).not.toContain("Northwind Academy");
    expect(registryCheck(answer)).toBeUndefined();
  });

  it("are shown for an organisation of this service too, by its code and by its document", async () => {
    const w = await world();
    const { serviceDid } = await getIssuer(w.ctx, {});
    const { id: templateId } = await publishedTemplate(w.ctx, { kind: "academic" });
    const { id, code } = await issued(w.ctx, templateId);
    const path = `/v1/credentials/${id}/credential.json`;
    const document = (await call("GET", path, { token: await w.key() })).json<JsonObject>();
    served["/community"] = { ...served["/community"], [serviceDid]: "The Registered Name" };
    await listingsOf([], new Date(Date.now() + 2 * hour));
    await expect.poll(async () => (await listingsOf([serviceDid], new Date()))[0]!.status).toBe("listed");
    for (const body of [{ code }, { credential: document }]) {
      const answer = await verified(body);
      expect(answer).toMatchObject({
        result: "valid",
        credential: {
          issuer: {
            name: "Test Organisation",
            registries: [{ name: "Community", status: "listed", issuerName: "The Registered Name" }, {}],
          },
        },
      });
      expect(registryCheck(answer)!.detail).toContain("lists this issuer as The Registered Name, as of ");
    }
  });

  it("are read once an hour, remain usable for a day without their host, and are unavailable afterwards", async () => {
    const start = new Date(Date.now() + 1_000 * hour);
    const statusAt = async (ms: number) => (await listingsOf([listed.did], new Date(start.getTime() + ms)))[0]!.status;
    await statusAt(0);
    await expect.poll(() => statusAt(minute)).toBe("listed");
    const before = asked;
    for (let i = 0; i < 20; i++) expect(await statusAt(30 * minute)).toBe("listed");
    expect(asked).toBe(before);
    const kept = served["/community"]!;
    served["/community"] = null;
    expect(await statusAt(2 * hour)).toBe("listed");
    await expect.poll(() => asked).toBe(before + 1);
    // A registry that fails is not requested for a minute.
    expect(await statusAt(2 * hour + 30_000)).toBe("listed");
    expect(asked).toBe(before + 1);
    expect(await statusAt(26 * hour)).toBe("unavailable");
    await expect.poll(() => asked).toBe(before + 2);
    served["/community"] = kept;
    await statusAt(27 * hour);
    await expect.poll(() => statusAt(27 * hour)).toBe("listed");
  });
});
