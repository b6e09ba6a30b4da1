/** Keeps the first error of a stream, because receiveUpload only reports that the body was cut off, and not why. */
export class FirstError {
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
