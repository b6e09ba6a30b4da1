import { Failure } from "../launch/failure.mjs";
import { inProject } from "../launch/paths.mjs";
import { run, tail } from "../launch/run.mjs";

/** Runs an admin command with the environment as it is, and returns what it printed. */
export async function runAdmin(args, signal) {
  const { code, output } = await run(process.execPath, [inProject(".build", "admin.mjs"), ...args], { signal });
  if (code !== 0)
    throw new Failure(`The command "${args.join(" ")}" failed.`, "see what it says, and start again.", {
      detail: tail(output),
    });
  return output;
}
