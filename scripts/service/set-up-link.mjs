import { describe } from "../launch/describe.mjs";
import { runAdmin } from "./run-admin.mjs";

/**
 * Returns a one-time link that creates the first owner and organisation; undefined if there is an organisation already.
 * The server already runs, so a failure is printed on standard error and ends nothing.
 */
export async function setUpLink(signal) {
  try {
    const answer = await runAdmin(["setup-link", "--json"], signal, { refusal: /^\{"url":null,/m });
    return /^\{"url":"(.*)"\}$/m.exec(answer)?.[1];
  } catch (error) {
    if (!signal?.aborted)
      process.stderr.write(
        `\nThe server runs, but no set-up link could be made. Make one with: npm run admin -- setup-link\n${describe(error)}\n`,
      );
    return undefined;
  }
}
