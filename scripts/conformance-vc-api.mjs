import "./node-version.mjs";

// `npm run conformance:vc-api -- --port 8443`: a VC-API over https on loopback, for W3C's test suites. It signs any
// document, so it is test code, and does not start with NODE_ENV=production.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { serveVcApi } = await import("./checks/vc-api.mjs");
    await serveVcApi(step, process.argv.slice(2));
  },
  { development: true },
);
