import { SaxesParser } from "saxes";
import { FileError } from "./file-error";

/** The most bytes of one tag, text or comment. */
const pieceLimit = 1024 * 1024;
const depthLimit = 100;

/** Callbacks for the parts of a document. Names come without namespace prefix, because programs choose different ones. */
export interface XmlHandlers {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Parses XML in bounded memory. Yields after each chunk, so that the caller can process what its handlers collected.
 * @throws FileError, also for document types, because these can define entities that expand without bound
 */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let depth = 0;
  let since = 0;
  const heard = () => void (since = 0);
  parser.on("opentagstart", heard);
  parser.on("attribute", () => undefined);
  parser.on("comment", heard);
  parser.on("processinginstruction", heard);
  parser.on("doctype", () => {
    throw broken();
  });
  parser.on("error", () => {
    throw broken();
  });
  parser.on("opentag", ({ name, attributes }) => {
    heard();
    if (++depth > depthLimit) throw broken();
    handlers.open(bare(name), attributes as Record<string, string>);
  });
  parser.on("closetag", ({ name }) => {
    heard();
    depth--;
    handlers.close?.(bare(name));
  });
  const text = (said: string) => {
    heard();
    handlers.text?.(said);
  };
  parser.on("text", text);
  parser.on("cdata", text);
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw broken();
    }
  };
  for await (const chunk of chunks) {
    parser.write(decode(chunk));
    // Count the bytes of chunks: the parser reports a tag or text only at its end.
    since += chunk.length;
    if (since > pieceLimit)
      throw new FileError("line_too_long", `The workbook has a cell of more than ${pieceLimit} characters.`);
    yield;
  }
  parser.write(decode());
  parser.close();
  yield;
}

const bare = (name: string) => name.slice(name.indexOf(":") + 1);

const broken = () =>
  new FileError(
    "broken_workbook",
    "The workbook can't be read. Open it in Excel and save it again as .xlsx, or as CSV.",
  );

/** Parses a small document to its end. */
export async function readWholeXml(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  for await (const _ of readXml(chunks, handlers));
}

export { broken as brokenWorkbook };
