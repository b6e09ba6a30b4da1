import "./node-version.mjs";
import { parseArgs } from "node:util";

// `npm run fuzz -- --requests 200000 --seed 7`: the fuzz of `npm test` (server/http/openapi/fuzz.test.ts), longer or with another seed.
const { launch } = await import("./launch.mjs");
await launch(async (step) => {
  const { values } = parseArgs({ options: { requests: { type: "string", default: "20000" }, seed: { type: "string", default: String(Date.now() % 2 ** 31) }, counts: { type: "boolean", default: false } } });
  for (const [name, value] of Object.entries({ requests: values.requests, seed: values.seed })) {
    if (!/^\d{1,9}\d?$/.test(value)) throw new (await import("./failure.mjs")).Failure(`--${name} must be a whole number.`, "for example: npm run fuzz -- --requests 200000 --seed 7");
  }
  Object.assign(process.env, { FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed, ...(values.counts && { FUZZ_COUNTS: "1" }) });
  console.log(`  ${values.requests} requests, seed ${values.seed}`);
  const { runTests } = await import("./run-tests.mjs");
  process.exit(await runTests(step, ["unit", "server/http/openapi/fuzz.test.ts"]));
}, { development: true });
