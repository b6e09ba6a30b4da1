import "./node-version.mjs";

// `npm run structure`: writes prisma/structure.txt, the structure of the database that the migrations make.
const { launch } = await import("./launch.mjs");
await launch(
  async (step) => {
    const { writeStructure } = await import("./write-structure.mjs");
    await writeStructure(step);
  },
  { development: true },
);
