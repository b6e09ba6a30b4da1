import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "@/server/standards/json";
import { startVcApi } from "./server";
import { api, call, issue, verify, serveVcApi } from "./client";

serveVcApi();

describe("issue, then verify", () => {
  it.each<[string, JsonObject]>([
    ["without options", {}],
    ["with eddsa-jcs-2022", { cryptosuite: "eddsa-jcs-2022" }],
    ["with eddsa-rdfc-2022", { cryptosuite: "eddsa-rdfc-2022" }],
    ["as vc+jwt", { envelope: "application/vc+jwt" }],
    ["with a status", { credentialStatus: "BitstringStatusListEntry" }],
    ["with a status as vc+jwt", { credentialStatus: "BitstringStatusListEntry", envelope: "application/vc+jwt" }],
  ])("holds %s", async (_, options) => {
    const issued = await issue({}, options);
    expect(issued.status).toBe(201);
    expect(await verify(issued.body)).toMatchObject({ status: 200, body: { verified: true, errors: [] } });
  });

  it.each(["eddsa-rdfc-2022", "eddsa-jcs-2022"])(
    "holds if the credential has a proof already, which it keeps beside that of %s",
    async (cryptosuite) => {
      const { body: first } = await issue();
      const { status, body } = await call("POST", "/credentials/issue", {
        credential: first,
        options: { cryptosuite },
      });
      expect([status, body["proof"]]).toEqual([
        201,
        [...(first["proof"] as JsonObject[]), expect.objectContaining({ cryptosuite })],
      ]);
      expect(await verify(body)).toMatchObject({ status: 200, body: { verified: true, errors: [] } });
    },
  );

  it.each<[string, JsonObject]>([
    ["an unknown suite", { cryptosuite: "eddsa-rdfc-2099" }],
    ["a suite that only verifies here", { cryptosuite: "ecdsa-rdfc-2019" }],
    ["a suite that is no text", { cryptosuite: ["eddsa-rdfc-2022"] }],
    ["an unknown envelope", { envelope: "application/vc+cose" }],
    ["an unknown status", { credentialStatus: "StatusList2021Entry" }],
  ])("is refused with %s in the options", async (_, options) => {
    expect(await issue({}, options)).toMatchObject({ status: 400, body: { errors: [expect.any(String)] } });
  });

  it.each([undefined, null, "text", 7, []])("is refused if the credential is %j", async (value) => {
    for (const path of ["/credentials/issue", "/credentials/verify"]) {
      const body = { credential: value, verifiableCredential: value };
      expect(await call("POST", path, body)).toMatchObject({ status: 400 });
    }
  });

  it("answers an envelope for vc+jwt, with the token in a data URL, and refuses to issue it again", async () => {
    const { body } = await issue({}, { envelope: "application/vc+jwt" });
    expect(body).toEqual({
      "@context": ["https://www.w3.org/ns/credentials/v2"],
      type: "EnvelopedVerifiableCredential",
      id: expect.stringMatching(/^data:application\/vc\+jwt,[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect((await call("POST", "/credentials/issue", { credential: body })).status).toBe(400);
    for (const broken of [
      { ...body, id: "data:application/vc+jwt,x.y.z" },
      { ...body, id: (body["id"] as string).replace("vc+jwt", "vp+jwt") },
      { ...body, id: `${body["id"] as string}A` },
      { ...body, type: "EnvelopedVerifiablePresentation" },
      { ...body, "@context": undefined },
      { ...body, "@context": [] },
      { ...body, "@context": "https://www.w3.org/ns/credentials/examples/v2" },
      { ...body, "@context": ["https://www.w3.org/ns/credentials/examples/v2"] },
      { ...body, id: (body["id"] as string).split(",")[1] },
      { ...body, id: undefined },
      { ...body, type: undefined },
      { ...body, type: "VerifiableCredential" },
    ])
      expect(await verify(broken)).toMatchObject({ status: 400, body: { verified: false } });
    expect(await verify({ ...body, "@context": "https://www.w3.org/ns/credentials/v2" })).toMatchObject({
      status: 200,
    });
  });

  it("serves the status list over https, signed", async () => {
    const { body } = await issue({}, { credentialStatus: "BitstringStatusListEntry" });
    const { statusListCredential } = body["credentialStatus"] as JsonObject;
    expect(statusListCredential).toBe(`${api.origin}/status/1`);
    const list = await call("GET", "/status/1");
    expect(await verify(list.body)).toMatchObject({ status: 200 });
  });

  it("refuses a credential that is signed by the adapter but names another issuer", async () => {
    const { status, body } = await issue({ issuer: "did:example:somebody" });
    expect(status).toBe(201);
    expect(await verify(body)).toMatchObject({ status: 400, body: { verified: false } });
  });
});

it("answers 400 for a body that is not JSON, and does not start in production", async () => {
  expect((await call("POST", "/credentials/issue", "{")).status).toBe(400);
  expect((await call("POST", "/credentials/issue", {})).status).toBe(400);
  expect((await call("POST", "/credentials/verify", [])).status).toBe(400);
  vi.stubEnv("NODE_ENV", "production");
  await expect(startVcApi()).rejects.toThrow("production");
  vi.unstubAllEnvs();
});
