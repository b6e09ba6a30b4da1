import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProject } from "@/scripts/launch/paths.mjs";
import { programs } from "@/server/testing/clients/programs";
import { overHttp } from "@/server/testing/fuzz/transports";
import { world } from "@/server/testing/world";

const run = promisify(execFile);

let folder: string;
let server: Awaited<ReturnType<typeof overHttp>>;
let key: string;

beforeAll(async () => {
  // Inside the project, so that generated code finds the packages that it imports.
  mkdirSync(inProject(".build"), { recursive: true });
  folder = mkdtempSync(inProject(".build", "clients-"));
  await run(process.execPath, [
    inProject("server", "testing", "clients", "generate.mjs"),
    inProject("public", "openapi.json"),
    folder,
  ]);
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, `${name}.main.ts`), code);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: "ES2023",
        lib: ["ES2023", "DOM", "DOM.Iterable"],
        module: "esnext",
        moduleResolution: "bundler",
        types: ["node"],
        skipLibCheck: true,
      },
      include: ["."],
    }),
  );
  server = await overHttp();
  key = await (await world()).key();
}, 120_000);

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it("the generated clients compile in strict mode, including webhook payloads", { timeout: 120_000 }, async () => {
  const compiled = await run(process.execPath, [
    inProject("node_modules", "typescript", "bin", "tsc"),
    "--project",
    folder,
  ]).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe("");
});

describe.each(Object.keys(programs))("a client made with %s", (name) => {
  it("upserts, makes a template, issues, suspends, verifies, revokes and lists events", async () => {
    const outfile = join(folder, `${name}.main.mjs`);
    await build({
      entryPoints: [join(folder, `${name}.main.ts`)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
    });
    const { stdout } = await run(process.execPath, [outfile], {
      env: { ...process.env, BASE: server.url, KEY: key },
      timeout: 20_000,
    });
    const [suspended, result, reason, revoked, events] = JSON.parse(stdout) as [
      string,
      string,
      string,
      string,
      string[],
    ];
    expect([suspended, result, reason, revoked]).toEqual(["suspended", "invalid", "suspended", "revoked"]);
    // Verifications are counted, and become events at a time of their own.
    const changes = events.filter((type) => !type.startsWith("credential.ver"));
    expect(changes).toEqual(["credential.created", "credential.issued", "credential.suspended", "credential.revoked"]);
  });
});

const pythonGenerator = "openapi-python-client";
const isMissing = spawnSync(pythonGenerator, ["--version"]).status !== 0;

// The generator is only on PyPI, so npm cannot install it.
describe.skipIf(isMissing)(
  `a Python client${isMissing ? ` (skipped: ${pythonGenerator} is not installed)` : ""}`,
  () => {
    it("is generated without a warning and compiles", { timeout: 120_000 }, async () => {
      const output = join(folder, "python_client");
      const generated = await run(pythonGenerator, [
        "generate",
        "--fail-on-warning",
        "--meta",
        "none",
        "--path",
        inProject("public", "openapi.json"),
        "--output-path",
        output,
      ]);
      expect(generated.stderr).not.toMatch(/warning/i);
      await run("python3", ["-m", "compileall", "-q", output]);
    });
  },
);
