import "./node-version.mjs";

// `npm run structure`: writes prisma/structure.txt, the structure of the database that the migrations make.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { writeStructure } = await import("./migrations/write-structure.mjs");
    await writeStructure(step);
  },
  { development: true },
);
