import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { bundle } from "../build/bundle.mjs";
import { inProject } from "../launch/paths.mjs";

/** Bundles the conformance adapter of server/testing/vc-api, and serves it until it is stopped. */
export async function serveVcApi(step, args) {
  const { values } = parseArgs({ args, options: { port: { type: "string", default: "8443" } } });
  await step("Adapter", () => bundle(["server/testing/vc-api/server.ts"], inProject(".build", "vc-api")));
  const { startVcApi } = await import("../../.build/vc-api/server.mjs");
  const { origin, did, ca } = await startVcApi(Number(values.port));
  const authority = inProject(".build", "vc-api", "ca.pem");
  writeFileSync(authority, ca);
  console.log(`
  ${origin}/credentials/issue         options: {}, {"envelope": "application/vc+jwt"}, {"credentialStatus": "BitstringStatusListEntry"},
                                                {"cryptosuite": "eddsa-rdfc-2022" | "eddsa-jcs-2022"}
  ${origin}/credentials/verify
  ${origin}/presentations/verify

  The issuer's id:  ${did}
  The suites trust its certificate with  NODE_EXTRA_CA_CERTS=${authority}
`);
}
