import "./node-version.mjs";

// Imported only now, so that an old Node still reaches the message about its version.
const { launch } = await import("./launch/launch.mjs");
const { serverFlags } = await import("./service/server-flags.mjs");
await launch(
  async (step) => {
    const { Failure } = await import("./launch/failure.mjs");
    const unknown = process.argv.slice(2).filter((arg) => arg !== "--dev" && arg !== "--demo");
    if (unknown.length > 0)
      throw new Failure(
        `There is no option ${unknown.join(" ")}.`,
        "use --demo, --dev or none; everything else is configured by the environment, see README.md.",
      );
    const { start } = await import("./service/start-server.mjs");
    await start(step, { dev: process.argv.includes("--dev"), demo: process.argv.includes("--demo") });
  },
  { flags: serverFlags },
);
