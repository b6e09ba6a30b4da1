import { Failure } from "../launch/failure.mjs";
import { inProject } from "../launch/paths.mjs";
import { run, tail } from "../launch/run.mjs";

/**
 * Runs an admin command in the present environment, and returns its output.
 *
 * @param {{ refusal?: RegExp }} [expected] matches a refusal (exit code 1) that is returned like any other answer
 */
export async function runAdmin(args, signal, { refusal } = {}) {
  const { code, output } = await run(process.execPath, [inProject(".build", "admin.mjs"), ...args], { signal });
  if (code !== 0 && !(code === 1 && refusal?.test(output)))
    throw new Failure(`The command "${args.join(" ")}" failed.`, "see what it says, and start again.", {
      detail: tail(output),
    });
  return output;
}
