import { FileError } from "./file-error";

/** The most bytes of all texts of a workbook, and the most texts. */
const byteLimit = 96 * 1024 * 1024;
const countLimit = 4_000_000;

/**
 * Stores texts by number in one buffer. A million JavaScript substrings would keep the larger strings that they were cut
 * from in memory.
 */
export class TextTable {
  #bytes = Buffer.alloc(64 * 1024);
  #ends = new Uint32Array(1024);
  #count = 0;

  /** @throws FileError if the texts exceed the limit */
  add(text: string): void {
    const start = this.#end(this.#count);
    const end = start + Buffer.byteLength(text);
    if (end > byteLimit || this.#count >= countLimit)
      throw new FileError(
        "too_large",
        `The workbook has more than ${byteLimit / 1024 / 1024} MiB of different texts. Save it as CSV.`,
      );
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.min(byteLimit, Math.max(end, this.#bytes.length * 2)));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    this.#bytes.write(text, start);
    if (this.#count + 1 >= this.#ends.length) {
      const longer = new Uint32Array(this.#ends.length * 2);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#ends[++this.#count] = end;
  }

  get(n: number): string | undefined {
    if (!Number.isInteger(n) || n < 0 || n >= this.#count) return undefined;
    return this.#bytes.toString("utf8", this.#end(n), this.#end(n + 1));
  }

  #end = (n: number) => this.#ends[n]!;
}
