import { gunzipSync, gzipSync } from "node:zlib";
import { encodeBase64Url, decodeMultibase } from "../encoding/multibase";
import { Invalid } from "../failure";

/** The fewest entries of a list, so that one holder is hidden among others (Bitstring Status List 1.0, section 2.2). */
export const minEntries = 131_072;
/** 134 million entries. Unpacking stops here, so that a small file cannot fill the memory. */
const maxBytes = 16 * 1024 * 1024;

/** A list of status values, one bit each unless `size` says more. Entry 0 is the leftmost bit of the first byte. */
export class Bitstring {
  private constructor(readonly bytes: Uint8Array) {}

  /** A list in which nothing is set. @param entries a multiple of 8, at least `minEntries` */
  static ofLength(entries: number): Bitstring {
    if (entries < minEntries || entries % 8 !== 0)
      throw new RangeError(`A status list has at least ${minEntries} entries, and whole bytes.`);
    return new Bitstring(new Uint8Array(entries / 8));
  }

  /** A list over these bytes, without a copy: set() changes them. */
  static over(bytes: Uint8Array): Bitstring {
    return new Bitstring(bytes);
  }

  get length(): number {
    return this.bytes.length * 8;
  }

  /** @throws Invalid for an index outside of the list */
  get(index: number, size = 1): number {
    if (!Number.isSafeInteger(index) || index < 0 || (index + 1) * size > this.length)
      throw new Invalid("The credential names a place outside of the status list.");
    let value = 0;
    for (let bit = index * size; bit < (index + 1) * size; bit++)
      value = value * 2 + ((this.bytes[bit >> 3]! >> (7 - (bit & 7))) & 1);
    return value;
  }

  set(index: number, value: boolean): void {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.length)
      throw new RangeError(`There is no entry ${index} in a list of ${this.length}.`);
    const mask = 128 >> (index & 7);
    this.bytes[index >> 3] = value ? this.bytes[index >> 3]! | mask : this.bytes[index >> 3]! & ~mask;
  }

  /** The bits as `encodedList`: gzip, then multibase base64url. */
  encode(): string {
    // A list is mostly zeros, so a low level compresses as well as a high one, three times as fast.
    return encodeBase64Url(gzipSync(this.bytes, { level: 1 }));
  }

  /**
   * Reads `encodedList`. StatusList2021 has it without the `u` of multibase.
   * @throws Invalid if it is not gzip, unpacks to more than 16 MiB, or is too short
   */
  static decode(encoded: string, { isMultibase = true } = {}): Bitstring {
    if (isMultibase && !encoded.startsWith("u"))
      throw new Invalid("The status list is not multibase in base64url (u).");
    const packed = decodeMultibase(isMultibase ? encoded : `u${encoded}`);
    let bytes: Uint8Array;
    try {
      bytes = gunzipSync(packed, { maxOutputLength: maxBytes });
    } catch (error) {
      throw new Invalid("The status list cannot be unpacked.", { cause: error });
    }
    if (bytes.length * 8 < minEntries)
      throw new Invalid(
        `The status list has fewer than ${minEntries.toLocaleString("en")} entries, so it would tell holders apart.`,
      );
    return new Bitstring(bytes);
  }
}
