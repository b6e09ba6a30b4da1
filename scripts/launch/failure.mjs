/** A failure that the user can correct: what is wrong, and what to do. Printed without a stack. */
export class Failure extends Error {
  name = "Failure";

  /**
   * @param {string} wrong one or more sentences
   *
   * @param {string} todo one or more sentences, the first in the imperative
   * @param {{ detail?: string, cause?: unknown }} [more] `detail`: the output of the failed program
   */
  constructor(wrong, todo, { detail, cause } = {}) {
    super(wrong, { cause });
    this.todo = todo;
    this.detail = detail;
  }
}
