/** Keeps what a source throws: receiveUpload says that the body broke off, and not why. */
export class Told {
  reason: unknown;

  async *of<T extends Uint8Array>(source: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* source;
    } catch (error) {
      this.reason = error;
      throw error;
    }
  }
}
