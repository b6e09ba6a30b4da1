import { afterAll, beforeAll, expect, it } from "vitest";
import { Unverifiable } from "./failure";
import { fetchIssuerRegistry } from "./issuer-registry";
import { startWeb, type TestWeb } from "./testing/web";

let web: TestWeb;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web.close());

const fetched = (body: string) => {
  web.pages.set("/registry.json", { body });
  return fetchIssuerRegistry(`${web.origin}/registry.json`, web.surroundings());
};

it("reads the names of issuers in the format of the Digital Credentials Consortium", async () => {
  const registry = await fetched(
    JSON.stringify({
      meta: { created: "2020-12-02T02:32:16+0000", updated: "2025-03-12T16:20:00+00:00" },
      registry: {
        "did:web:digitalcredentials.github.io:dcc-did-web": {
          name: "DCC did:web test",
          location: "Cambridge, MA, USA",
          url: "https://digitalcredentials.mit.edu",
        },
        "did:key:z6MkpLDL3RoAoMRTwTgo3rs39ZwssfaPKtGdZw7AGRN7CK4W": { name: " (Example) My University " },
        "did:key:z6MkNameless": { url: "https://example.edu" },
        "did:key:z6MkNull": null,
        "https://example.edu": { name: "No DID" },
      },
    }),
  );
  expect([...registry]).toEqual([
    ["did:web:digitalcredentials.github.io:dcc-did-web", "DCC did:web test"],
    ["did:key:z6MkpLDL3RoAoMRTwTgo3rs39ZwssfaPKtGdZw7AGRN7CK4W", "(Example) My University"],
  ]);
});

it.each<[string, string]>([
  ["a page", "<!doctype html>"],
  ["a list", "[]"],
  ["JSON without a registry", "{}"],
  ["a registry that is a list", '{"registry": []}'],
  ["more than 2 MiB", JSON.stringify({ registry: {}, padding: "x".repeat(2 * 1024 * 1024) })],
  [
    "more than 20,000 issuers",
    JSON.stringify({ registry: Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`did:key:z${i}`, 1])) }),
  ],
])("refuses %s", async (_, body) => {
  await expect(fetched(body)).rejects.toThrow(Unverifiable);
});
