import "./node-version.mjs";

// `npm test`, or a part of it: `npm test -- types|format|lint|structure|unit|e2e [arguments of that tool]`, `npm test --
// <vitest filter>`.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { runTests } = await import("./checks/run-tests.mjs");
    process.exit(await runTests(step, process.argv.slice(2)));
  },
  { development: true },
);
