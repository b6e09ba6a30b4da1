import "./node-version.mjs";

// `npm run migration -- <name>`: writes a migration from the existing ones to prisma/schema.prisma, for a developer to
// review, complete and commit.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { writeMigration } = await import("./migrations/write-migration.mjs");
    await writeMigration(step, process.argv.slice(2).join("_"));
  },
  { development: true },
);
