import "./node-version.mjs";

// `npm run fuzz -- --requests 200000 --seed 7`: the fuzz of `npm test` (server/http/openapi/fuzz.test.ts), longer or
// with another seed.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { fuzzSettings } = await import("./checks/fuzz-settings.mjs");
    const settings = fuzzSettings(process.argv.slice(2), Date.now());
    Object.assign(process.env, settings);
    console.log(`  ${settings.FUZZ_REQUESTS} requests, seed ${settings.FUZZ_SEED}`);
    const { runTests } = await import("./checks/run-tests.mjs");
    process.exit(await runTests(step, ["unit", "server/http/openapi/fuzz.test.ts"]));
  },
  { development: true },
);
