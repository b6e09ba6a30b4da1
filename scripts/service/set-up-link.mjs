import { describe } from "../launch/describe.mjs";
import { runAdmin } from "./run-admin.mjs";

/**
 * A link that makes the first owner and organisation, once; undefined where there is an organisation already. The
 * server runs by then, so a link that cannot be made is told on standard error and ends nothing.
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
