import "./node-version.mjs";

// `npm run openapi`: writes public/openapi.json from the route files.
const { launch } = await import("./launch/launch.mjs");
await launch(async (step) => {
  const { writeOpenApi } = await import("./build/write-openapi.mjs");
  await writeOpenApi(step);
});
