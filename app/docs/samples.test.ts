import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { overHttp } from "@/server/testing/fuzz/transports";
import { picture } from "@/server/testing/photo";
import { world } from "@/server/testing/world";
import { oauth, samples } from "./_samples";

const run = promisify(execFile);
type Name = keyof typeof samples;

let server: Awaited<ReturnType<typeof overHttp>>;
let folder: string;
let env: NodeJS.ProcessEnv;
const said = {} as Record<Name | "oauth", string>;

beforeAll(async () => {
  server = await overHttp();
  folder = mkdtempSync(join(tmpdir(), "guides-"));
  writeFileSync(join(folder, "ada.jpg"), await picture());
  const mine = await world();
  const { clientId, clientSecret } = await createOAuthClient(mine.ctx, { name: "guides" });
  env = { ...process.env, BASE: server.url, KEY: await mine.key(), CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  // Each sample runs in a new shell with the variables that the earlier ones exported, as if the reader had used one
  // shell.
  let before = "";
  for (const [name, command] of [...(Object.entries(samples) as [Name, string][]), ["oauth", oauth] as const]) {
    said[name] = (await run("bash", ["-euc", `${before}\n${command}`], { cwd: folder, env })).stdout;
    const exported = [...command.matchAll(/export (\w+)=/g)].map(([, variable]) => variable!);
    if (exported.length > 0) {
      // Variables are passed by value, so that no command runs twice.
      const values =
        name === "template"
          ? [said.template.trim()]
          : [said.issue]
              .map((text) => JSON.parse(text) as { id: string; code: string })
              .flatMap(({ id, code }) => [id, code]);
      before += exported.map((variable, i) => `\nexport ${variable}=${values[i]}`).join("");
    }
  }
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const json = (name: keyof typeof said) => JSON.parse(said[name]) as Record<string, unknown>;

it("the guide to designs makes a card with two sides", () => {
  expect(json("twoSided")).toMatchObject({
    object: "template",
    status: "published",
    version: { design: { font: "serif", back: { fields: [{ key: "found", width: "full" }] } } },
  });
});

it("the quick start creates a person, a template and a credential that verifies", () => {
  expect(json("person")).toMatchObject({ object: "subject", externalId: "s-1001" });
  expect(said.template).toMatch(/^tpl_\w{26}\n$/);
  expect(json("issue")).toMatchObject({ object: "credential", state: "active" });
  expect(json("verify")).toMatchObject({
    result: "valid",
    credential: { fields: [{ key: "programme", value: "Mathematics" }] },
  });
});

it("the states of a credential follow the commands, and verification with them", () => {
  expect([json("suspend")["state"], json("resume")["state"]]).toEqual(["suspended", "active"]);
  const [revoked, verified] = said.revoke
    .replace("}{", "}\n{")
    .split("\n")
    .map((text) => JSON.parse(text) as object);
  expect([revoked, verified]).toMatchObject([
    { state: "revoked" },
    { result: "invalid", reason: "revoked", credential: { revocationReason: "Left the university" } },
  ]);
});

it("a repeat with the same Idempotency-Key gets the stored response", () => {
  expect(said.again).toMatch(/^HTTP\/1\.1 201 [^]*idempotent-replayed: true/i);
  expect(said.again).toContain(said.issue.slice(0, 80));
});

it("a connector is created and accepts a file", () => {
  expect(json("connector")).toMatchObject({ object: "connector_run", status: "queued", trigger: "upload" });
});

it("a policy is previewed and applied", () => {
  expect(json("policy")).toMatchObject({ object: "policy_run", status: "completed", halt: null });
});

it("a degree is awarded, and its document states achievement, grade and credits, signed", () => {
  expect(json("degree")).toMatchObject({
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    credentialSubject: {
      achievement: { name: "Master of Science in Computer Science", achievementType: "MasterDegree" },
      creditsEarned: 120,
      result: [{ value: "A" }],
    },
    proof: [{ cryptosuite: "eddsa-rdfc-2022" }],
  });
});

it("the guide to rules creates a class, and a group by rule that builds on it", () => {
  expect(json("groups")).toMatchObject({ kind: "rule", memberCount: 1, evaluatedAt: expect.any(String) });
});

it("a photo is uploaded, served at a density, and has its place on a card", () => {
  expect(json("photo")).toMatchObject({
    object: "subject",
    photoStatus: "pending",
    photoUpdatedAt: expect.any(String),
  });
  expect(said.photoShown).toBe("200 image/webp\n");
  expect(json("photoTemplate")).toMatchObject({ object: "template", status: "published" });
});

it("tokens, pages, changes, conditions, endpoints, the log and refusals work as the guides say", () => {
  expect(json("me")).toMatchObject({ object: "me", actor: { type: "api_key" } });
  expect(json("oauth")).toMatchObject({ token_type: "Bearer", expires_in: 900, scope: "credentials:read" });
  expect(said.pages).toBe("1 people\n");
  expect(json("changes")["data"]).toHaveLength(1);
  expect(json("condition")).toMatchObject({ metadata: { order: "4711" } });
  expect(json("endpoint")).toMatchObject({ object: "webhook_endpoint", secret: expect.stringMatching(/^whsec_/) });
  expect((json("log")["data"] as { type: string; sequence: number }[]).map(({ sequence }) => sequence)).toEqual(
    expect.arrayContaining([1, 2, 3]),
  );
  expect(json("refused")).toMatchObject({
    status: 400,
    code: "invalid_request",
    errors: expect.arrayContaining([expect.objectContaining({ pointer: "/colour" })]),
  });
});
