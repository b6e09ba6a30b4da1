import "./node-version.mjs";

// `npm run bench` runs all benchmarks; `npm run bench -- verification upsert` runs the named ones.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { bench } = await import("./checks/run-benchmarks.mjs");
    await bench(step, process.argv.slice(2));
  },
  { development: true },
);
