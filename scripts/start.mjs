import "./node-version.mjs";

// Imported only now, for an old Node to get as far as the message about it.
const { launch } = await import("./launch.mjs");
await launch(async (step) => {
  const { start } = await import("./start-server.mjs");
  await start(step, { dev: process.argv.includes("--dev"), demo: process.argv.includes("--demo") });
});
