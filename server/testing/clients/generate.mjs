import "./typescript-api.mjs";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Run by clients.test.ts: node generate.mjs <openapi.json> <folder>. Writes a client with each generator.
const [document, folder] = process.argv.slice(2);

const { default: openapiTypescript, astToString } = await import("openapi-typescript");
writeFileSync(join(folder, "openapi-typescript.ts"), astToString(await openapiTypescript(pathToFileURL(document))));

const { createClient } = await import("@hey-api/openapi-ts");
await createClient({
  input: document,
  output: { path: join(folder, "hey-api") },
  plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
  logs: { level: "error", file: false },
});

const { generate } = await import("orval");
await generate(
  { input: { target: document }, output: { target: join(folder, "orval-zod.ts"), client: "zod", mode: "single" } },
  folder,
);
// The generator's fetch client does not compile for a body that is a file or a form: it would send the form's object as
// it is.
const override = { contentType: { exclude: ["multipart/form-data"] } };
await generate(
  {
    input: { target: document },
    output: {
      target: join(folder, "orval-fetch.ts"),
      client: "fetch",
      mode: "single",
      baseUrl: { runtime: "process.env.BASE" },
      override,
    },
  },
  folder,
);
