/** The signature of the record that ends a ZIP archive (APPNOTE 4.3.16), and the length of that record before the comment. */
const signature = "PK\u0005\u0006";
const length = 22;

/** Returns the ASCII comment of a ZIP archive; an empty string if it has none. */
export async function zipComment(archive: Blob): Promise<string> {
  const bytes = await archive.slice(-(length + 0xffff)).arrayBuffer();
  // One character a byte, so that positions in the text are positions in the bytes.
  const end = new TextDecoder("latin1").decode(bytes);
  return end.slice(end.lastIndexOf(signature) + length);
}
