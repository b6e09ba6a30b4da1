import { SaxesParser } from "saxes";
import { FileError } from "./file-error";

/** Bytes of one tag, text or comment. */
const pieceLimit = 1024 * 1024;
const depthLimit = 100;

/** What is told of a document. Names are without their prefix, which writers of workbooks choose as they like. */
export interface XmlHandlers {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Reads XML in bounded memory, and yields after each chunk, so that the caller can take what its handlers collected.
 * @throws FileError; document types are refused, and with them entities
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
    // Counted in chunks: a piece is told of when it ends.
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
  new FileError("broken_workbook", "The workbook can't be read. Open it in Excel, save it as .xlsx anew, or as CSV.");

/** Reads a short document whole. */
export async function readWholeXml(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  for await (const _ of readXml(chunks, handlers));
}

export { broken as brokenWorkbook };
