import { fromBuffer, type Entry } from "yauzl";

/** The files of a ZIP archive by name, in their order. The reader checks lengths, and its names against escapes. */
export async function unzipped(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await new Promise<import("yauzl").ZipFile>((resolve, reject) =>
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  return new Promise((resolve, reject) => {
    zip.on("end", () => resolve(files)).on("error", reject);
    zip.on("entry", (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
        stream.on("end", () => {
          files.set(entry.fileName, Buffer.concat(chunks));
          zip.readEntry();
        });
      }),
    );
    zip.readEntry();
  });
}
