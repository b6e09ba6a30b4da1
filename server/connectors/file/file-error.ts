/** An error that makes the whole file unusable, so that nothing of it is applied. */
export class FileError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly line: number | null = null,
  ) {
    super(message);
  }

  toJSON() {
    return { code: this.code, message: this.message, line: this.line };
  }
}
