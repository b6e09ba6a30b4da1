import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { define } from "./command";
import { lostValues } from "./lost-values";
import { reencryptAll } from "./reencrypt";
import { resetSecret } from "./reset-secret";

const kept = () => join(env().DATA_DIR, "secret");
const keptPrevious = () => join(env().DATA_DIR, "secret.previous");
const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim() : undefined);

export const secretRotate = define({
  about: "Makes a new master secret; the one until now stays valid until `secret reencrypt` is done.",
  options: {},
  async run() {
    const { BONAFIDE_SECRET: current, BONAFIDE_PREVIOUS_SECRET: previous } = env();
    const state =
      previous !== undefined && previous !== current
        ? ("unfinished" as const)
        : read(kept()) === current
          ? ("kept" as const)
          : ("of_environment" as const);
    if (state === "unfinished") return { state, secret: null };
    const secret = randomBytes(32).toString("base64url");
    if (state === "of_environment") return { state, secret };
    // Write the previous secret first: a crash between the two writes then leaves the same secret in both files.
    write(keptPrevious(), current);
    write(kept(), secret);
    return { state, secret: null };
  },
  refused: ({ state }) => state === "unfinished",
  say: ({ state, secret }) =>
    ({
      unfinished: "A rotation is under way already. Finish it with: npm run admin -- secret reencrypt",
      kept: "Made a new master secret in the data directory; back it up. Now restart the service, then run: npm run admin -- secret reencrypt",
      of_environment: `The master secret comes from the environment. Set on every server, and restart it:\n  BONAFIDE_SECRET=${secret}\n  BONAFIDE_PREVIOUS_SECRET=(the one until now)\nThen run: npm run admin -- secret reencrypt`,
    })[state],
});

export const secretReencrypt = define({
  about:
    "Encrypts all that is stored with the master secret in use, and says when the previous one can go. May be cut off and run again.",
  options: {},
  async run() {
    const outcome = await reencryptAll();
    if (outcome.done) rmSync(keptPrevious(), { force: true });
    return outcome;
  },
  refused: ({ done }) => !done,
  say: ({ reencrypted, unreadable, shortLived, connectionsOfOthers, done }) =>
    [
      `${reencrypted} values were re-encrypted.`,
      ...Object.entries(unreadable).map(
        ([column, n]) =>
          `${n} values of ${column} can be read with neither secret. Was another one in use before? Then name that one as BONAFIDE_PREVIOUS_SECRET and run this again.`,
      ),
      ...(shortLived > 0
        ? [`${shortLived} values that end within hours still need the previous secret. Run this again then.`]
        : []),
      ...(connectionsOfOthers > 0
        ? [
            `${connectionsOfOthers} connections are of servers that run with another master secret. They cannot read what is encrypted with the new one. Restart them, and run this again.`,
          ]
        : []),
      done
        ? "Nothing needs the previous secret any more: remove BONAFIDE_PREVIOUS_SECRET where it is set."
        : "Keep the previous secret for now.",
    ].join("\n"),
});

export const secretReset = define({
  about:
    "Begins anew where the master secret is lost for good: what it encrypted is replaced or removed. Without --confirm yes, only tells what that is and what to do then. Stop every server first.",
  options: { confirm: { about: "yes, to do it" } },
  run: ({ confirm }) => resetSecret(confirm === "yes"),
  refused: ({ state }) => state !== "done",
  say: ({ state, lost }) => {
    const values =
      Object.entries(lost)
        .map(([column, n]) => `  ${n} ${lostValues[column]!.name} (${column}): ${lostValues[column]!.consequence}.`)
        .join("\n") || "  nothing";
    return {
      not_lost:
        "The master secret is the one that this database was used with: nothing is lost, and nothing was changed.",
      asked: `These values were encrypted with the lost master secret:\n${values}\nSessions and list cursors end too.\nLook for a backup of the secret first. Where there is none: npm run admin -- secret reset --confirm yes`,
      in_use:
        "A server runs that has the lost master secret in its memory. Stop it and run this again, or read the secret from its environment first.",
      done: `The service begins anew with the master secret that it has now; back it up. Lost, and what to do:\n${values}`,
    }[state];
  },
});

function write(path: string, secret: string): void {
  writeFileSync(`${path}.new`, `${secret}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
