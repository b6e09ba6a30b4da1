import type { RunError } from "../run-view";

/** Why a pull cannot go on, in words for people. They quote nothing of the answer, which may hold people. */
export class PullError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  asRunError(): RunError {
    return { code: this.code, message: this.message, line: null };
  }
}
