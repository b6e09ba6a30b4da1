import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import { DomainError } from "@/server/core/errors";
import { parseJsonObject } from "./json";
import { isJson, refuseEncoding } from "./read-body";

/** Describes a body that is a file, or a form with one. */
export interface FileBody {
  /** The operation's input field for the file. */
  field: string;
  /** The name of the file's part in a form. */
  partName: string;
  /** Media types that the file may have when it is the body itself. */
  types: readonly string[];
  /** Most bytes of the file. */
  limit: number;
  /** Whether the input may also come as application/json, without a file. */
  besideJson?: true;
  /** Makes the input of such a JSON body, where it is not the input already. */
  fromJson?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** Other parts that a form may have, each with how its text is read. */
  fields?: Readonly<Record<string, "text" | "json">>;
}

const mediaTypeOf = (request: Request): string =>
  (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();

/** Whether the body of a request is JSON beside which a file may come, and no file. A type of a file may be JSON, too. */
export function comesAsJson(request: Request, { besideJson, types }: FileBody): boolean {
  const type = mediaTypeOf(request);
  return besideJson !== undefined && isJson(type) && !types.includes(type);
}

/** Says which media types a body may have. */
export const acceptedBodies = ({ types, partName, besideJson }: FileBody): string =>
  `Send ${besideJson ? "the input as application/json, or " : ""}the file as the body, as ${types.join(", ")}, or as the part ${partName} of multipart/form-data.`;

/** Bytes of a part that is no file. */
const fieldLimit = 256 * 1024;

/** Bytes allowed for headers and boundaries around the file in a form. */
const formOverhead = 64 * 1024;

/**
 * Receives the file of a request: its body, or the part `partName` of a multipart form. Writes it to disk as it
 * arrives, with backpressure on the client if the disk is slower.
 * @param fields receives the other parts of a form
 * @throws DomainError `unsupported_media_type`; `payload_too_large`; `malformed_request` if it breaks off;
 * `unavailable` if the disk is full.
 */
export async function readFileBody(
  request: Request,
  description: FileBody,
  fields: Record<string, unknown> = {},
): Promise<Upload> {
  const { types, limit, besideJson } = description;
  refuseEncoding(request);
  const type = mediaTypeOf(request);
  const isForm = type === "multipart/form-data";
  if (!isForm && !types.includes(type)) {
    throw new DomainError("unsupported_media_type", acceptedBodies(description), {
      headers: { accept: [...(besideJson ? ["application/json"] : []), ...types, "multipart/form-data"].join(", ") },
    });
  }
  if (Number(request.headers.get("content-length") ?? 0) > limit + (isForm ? formOverhead : 0))
    throw new DomainError("payload_too_large", `The file may have at most ${limit} bytes.`);
  const body = (request.body ?? []) as AsyncIterable<Uint8Array>;
  if (isForm) return readForm(request, body, description, fields);
  const file = await receiveUpload(body, limit);
  if (file.size > 0) return file;
  await file.discard();
  throw new DomainError("malformed_request", "The body is empty; send the file as the body.");
}

async function readForm(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  { partName, limit, fields: known = {} }: FileBody,
  fields: Record<string, unknown>,
): Promise<Upload> {
  const wrong = (detail: string) => new DomainError("malformed_request", detail);
  const others = Object.keys(known);
  let form: InstanceType<typeof Busboy>;
  try {
    form = new Busboy({
      headers: { "content-type": request.headers.get("content-type")! },
      // Some clients send no file name, so the part's own name makes it a file, too.
      isPartAFile: (name, type, fileName) =>
        name === partName || fileName !== undefined || type === "application/octet-stream",
      limits: {
        parts: 2 + others.length,
        files: 2,
        fields: others.length,
        fieldSize: fieldLimit,
        headerPairs: 20,
        headerSize: 8192,
      },
    });
  } catch {
    throw wrong("The Content-Type of the form names no boundary.");
  }
  let received: Promise<Upload> | undefined;
  let current: Readable | undefined;
  let refused: DomainError | undefined;
  form.on("file", (name, part) => {
    if (name !== partName || received) {
      refused ??= wrong(
        received
          ? `The form has more than one file; send one part, ${JSON.stringify(partName)}.`
          : `The form has a file ${JSON.stringify(name.slice(0, 50))}; send the part ${JSON.stringify(partName)}.`,
      );
      part.resume();
      return;
    }
    // For a form that breaks off, Busboy emits an error on the part and leaves the part open. It may do so before
    // anyone else listens.
    part.on("error", (error) => part.destroy(error));
    current = part;
    received = receiveUpload(part as AsyncIterable<Uint8Array>, limit);
    // An error of the file destroys the form, so that its rest is not read.
    received.catch((error: unknown) => form.destroy(error as Error));
  });
  form.on("field", (name, text, _nameWasCut, wasCut) => {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!kind || name in fields)
      refused ??= wrong(
        kind
          ? `The form has the part ${name} twice.`
          : `The form has a part ${JSON.stringify(name.slice(0, 50))}; besides ${partName}, send ${others.join(", ")}.`,
      );
    else if (wasCut) refused ??= wrong(`The part ${name} of the form has more than ${fieldLimit} bytes.`);
    else
      try {
        fields[name] = kind === "json" ? parseJsonPart(name, text) : text;
      } catch (error) {
        refused ??=
          error instanceof DomainError && error.code !== "malformed_json"
            ? error
            : wrong(`The part ${name} of the form is not valid JSON.`);
      }
  });
  const alone = others.length === 0 ? `send the part ${partName} alone` : `send ${partName}, ${others.join(", ")}`;
  form.on("fieldsLimit", () => (refused ??= wrong(`The form has another field; ${alone}.`)));
  form.on("partsLimit", () => (refused ??= wrong(`The form has too many parts; ${alone}.`)));
  const broken = await pipeline(Readable.from(body), form).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (broken) current?.destroy(broken as Error);
  const file = await received?.catch((error: unknown) => error as Error);
  const failure =
    file instanceof Error
      ? file
      : broken instanceof DomainError
        ? broken
        : broken
          ? wrong("The form broke off before its end.")
          : refused;
  if (failure) {
    if (file && !(file instanceof Error)) await file.discard();
    throw failure;
  }
  if (!file) throw wrong(`The form has no file; send it as the part ${partName}.`);
  return file as Upload;
}

/** Reads a part as JSON of any type, as strictly as a body. */
function parseJsonPart(name: string, text: string): unknown {
  const parsed = parseJsonObject(Buffer.from(`{${JSON.stringify(name)}:${text}}`));
  if (Object.keys(parsed).length > 1) throw new SyntaxError("more than one value");
  return parsed[name];
}
