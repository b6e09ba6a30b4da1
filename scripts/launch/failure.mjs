/** Something that whoever started us can put right: what is wrong, and what to do about it. Printed without a stack. */
export class Failure extends Error {
  name = "Failure";

  /**
   * @param {string} wrong one or more sentences
   * @param {string} todo one or more sentences, the first in the imperative
   * @param {{ detail?: string, cause?: unknown }} [more] `detail`: what the failing program said
   */
  constructor(wrong, todo, { detail, cause } = {}) {
    super(wrong, { cause });
    this.todo = todo;
    this.detail = detail;
  }
}

/** What to print for an error: a Failure or a configuration error in words, anything else with its stack. */
export function describe(error) {
  if (error?.name === "Failure") {
    const detail = error.detail ? `${error.detail.trim().replace(/^/gm, "    ")}\n\n` : "";
    return `${error.message}\n\n${detail}What to do: ${error.todo}`;
  }
  if (Array.isArray(error?.problems))
    return `${error.message}\n\nWhat to do: correct these environment variables, or the .env file.`;
  return error?.stack ?? String(error);
}
