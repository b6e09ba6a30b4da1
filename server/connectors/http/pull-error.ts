import type { RunError } from "../run-view";

/** Why a source could not be read, as a message for administrators. It quotes nothing of the answer, which may name people. */
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
