import "./node-version.mjs";

// Imported only now, so that an old Node still reaches the message about its version. Standard output is reserved for
// the command.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { admin } = await import("./service/admin-command.mjs");
    await admin(step, process.argv.slice(2));
  },
  { out: process.stderr },
);
