import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { errorTable } from "@/server/core/errors";
import { at, entries, type Json } from "@/server/http/openapi/json";
import { compilerOf } from "../document-schemas";

export interface Received {
  status: number;
  headers: Headers;
  text: string;
}

/** Headers of HTTP itself, which an API description omits. */
const ofTheProtocol = new Set([
  "content-type",
  "content-length",
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
]);

/**
 * Checks responses against the OpenAPI document: status, headers, type and shape of the body, and the members of every
 * refusal.
 */
export class AnswerCheck {
  readonly #compile: (schema: object) => ValidateFunction;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Json) {
    const ajv = new Ajv2020({ strict: false });
    // The package is CommonJS: its types export the function as `default`, and importing it yields an object with
    // `default` too.
    (addFormats as unknown as { default: typeof addFormats.default }).default(ajv);
    this.#compile = compilerOf(document as object, ajv);
  }

  /** Returns what is wrong with a response, in words; empty if the response matches its description. */
  faults(path: string, method: string, { status, headers, text }: Received): string[] {
    if (status >= 500) return [`the server failed with ${status}`];
    const responses = at(this.document, "paths", path, method, "responses");
    const described = this.#resolved(at(responses, String(status)));
    if (described === undefined) return [`the status ${status} is not described`];
    const names = new Set(entries(at(described, "headers")).map(([name]) => name.toLowerCase()));
    const strange = [...headers.keys()]
      .filter((name) => !names.has(name) && !ofTheProtocol.has(name))
      .map((name) => `the header ${name} is not described for ${status}`);
    const missing = [
      ...(headers.has("request-id") ? [] : ["there is no request-id"]),
      ...(status === 202 && !headers.has("location") ? ["there is no location"] : []),
    ];
    return [
      ...strange,
      ...missing,
      ...this.#bodyFaults(`${method} ${path} ${status}`, described, headers.get("content-type"), text),
      ...(status >= 400 && !path.startsWith("/oauth/") ? refusalFaults(described, status, headers, text) : []),
    ];
  }

  #bodyFaults(key: string, described: Json, type: string | null, text: string): string[] {
    const media = entries(at(described, "content"));
    if (media.length === 0) return text === "" ? [] : [`there is a body, and none is described: ${text.slice(0, 100)}`];
    const [, found] = media.find(([name]) => name === type?.split(";")[0]) ?? [];
    if (found === undefined) return [`the content type ${type} is not described`];
    // A file: the description says nothing about its bytes.
    if (!/[/+]json$/.test(type!.split(";")[0]!)) return text === "" ? ["the file is empty"] : [];
    let validate = this.#validators.get(key);
    if (!validate) {
      validate = this.#compile(at(found, "schema") as object);
      this.#validators.set(key, validate);
    }
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return ["the body is not JSON"];
    }
    return validate(body)
      ? []
      : (validate.errors ?? [])
          .slice(0, 3)
          .map(
            ({ instancePath, message, params }) =>
              `the body does not fit its schema: ${instancePath} ${message} ${JSON.stringify(params)}`,
          );
  }

  #resolved(part: Json | undefined): Json | undefined {
    const reference = at(part, "$ref");
    return typeof reference === "string" ? at(this.document, ...reference.slice(2).split("/")) : part;
  }
}

/** Checks that a refusal names its request, its status, and one of the codes that its description lists. */
function refusalFaults(described: Json, status: number, headers: Headers, text: string): string[] {
  const {
    requestId,
    code,
    status: told,
    detail,
  } = JSON.parse(text) as { requestId: string; code: keyof typeof errorTable; status: number; detail: string };
  return [
    ...(requestId === headers.get("request-id") ? [] : ["requestId is not the request-id of the headers"]),
    ...(told === status && errorTable[code]?.[0] === status
      ? []
      : [`the code ${code} and the status ${told} do not go with ${status}`]),
    ...(String(at(described, "description")).includes(`\`${code}\``)
      ? []
      : [`the code ${code} is not described for ${status}`]),
    ...(/\w{3}/.test(detail) ? [] : ["detail says nothing"]),
  ];
}
