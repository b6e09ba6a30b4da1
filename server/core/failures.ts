/** Collects the errors of independent parts of a job, so that a part that fails does not stop the others. */
export class Failures {
  readonly #errors: unknown[] = [];

  /** Awaits a part; if it fails, keeps its error and returns undefined. */
  async keep<T>(part: Promise<T>): Promise<T | undefined> {
    try {
      return await part;
    } catch (error) {
      this.#errors.push(error);
      return undefined;
    }
  }

  /** Whether a part has failed. */
  get any(): boolean {
    return this.#errors.length > 0;
  }

  /** Throws what failed, if anything did. Called once all parts were tried. */
  throw(): void {
    if (!this.any) return;
    throw this.#errors.length === 1
      ? this.#errors[0]
      : new AggregateError(this.#errors, "several parts of a job failed");
  }
}
