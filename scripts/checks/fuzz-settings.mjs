import { parseArgs } from "node:util";
import { Failure } from "../launch/failure.mjs";

const example = "for example: npm run fuzz -- --requests 200000 --seed 7";

/**
 * Converts the command line to the variables of the fuzz test. The default seed is the clock.
 *
 * @param {string[]} args
 * @param {number} now milliseconds
 */
export function fuzzSettings(args, now) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        requests: { type: "string", default: "20000" },
        seed: { type: "string", default: String(now % 2 ** 31) },
        counts: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    throw new Failure(error.message.split("\n")[0], example);
  }
  for (const name of ["requests", "seed"])
    if (!/^\d{1,10}$/.test(values[name])) throw new Failure(`--${name} must be a whole number.`, example);
  return { FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed, ...(values.counts && { FUZZ_COUNTS: "1" }) };
}
