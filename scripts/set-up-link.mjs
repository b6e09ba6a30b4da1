import { runAdmin } from "./run-admin.mjs";

/** A link that makes the first owner and organisation, once; undefined where somebody can sign in already. */
export async function setUpLink(signal) {
  const lines = (await runAdmin(["setup-link", "--json"], signal)).trim().split("\n");
  return JSON.parse(lines.at(-1))?.url;
}
