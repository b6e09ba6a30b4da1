import "./node-version.mjs";

// `npm run bench`, or some of it: `npm run bench -- verification upsert`.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { bench } = await import("./checks/run-benchmarks.mjs");
    await bench(step, process.argv.slice(2));
  },
  { development: true },
);
