/** The bytes that a signature covers: each text, preceded by its length as a 32-bit little-endian integer. */
export function bytesOf(...texts: string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}
