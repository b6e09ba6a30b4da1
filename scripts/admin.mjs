import "./node-version.mjs";

// Imported only now, for an old Node to get as far as the message about it. Standard output is the command's alone.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { admin } = await import("./service/admin-command.mjs");
    await admin(step, process.argv.slice(2));
  },
  { out: process.stderr },
);
