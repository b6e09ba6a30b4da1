import { inflateRawSync } from "node:zlib";

/** Reads the files of a ZIP archive by its central directory. @throws Error if it is not a ZIP archive */
export function unzip(archive: Uint8Array): Record<string, Uint8Array> {
  const bytes = Buffer.from(archive);
  const end = bytes.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  if (end < 0) throw new Error("This is no ZIP archive.");
  const files: Record<string, Uint8Array> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + size);
    files[bytes.toString("utf8", at + 46, at + 46 + name)] = method === 0 ? content : inflateRawSync(content);
    at += 46 + name + extra + comment;
  }
  return files;
}
