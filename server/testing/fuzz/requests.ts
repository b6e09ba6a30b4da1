import fc from "fast-check";
import { isObject, list, type Json } from "@/server/http/openapi/json";
import { emptyFiles } from "@/server/photos/testing/archive";
import { picture } from "../photo";
import { hostileString, valuesOf, Existing, type Value } from "./values";

export interface Described {
  path: string;
  method: string;
  operation: { [key: string]: Json };
}

/** A generated request, before references to existing resources are resolved. */
export interface Draft extends Described {
  inPath: Record<string, Value>;
  inQuery: [string, Value][];
  inHeaders: [string, Value][];
  body: Value | undefined;
  form: boolean;
  /** Sent unchanged instead of the body. */
  raw: string | Buffer | undefined;
  /** The media type of `raw`, if it differs from the body's. */
  rawType: string | undefined;
  token: "full" | "none" | "wrong" | "narrow" | "foreign";
}

type Schemas = { [name: string]: Json };

/** The kind of id in a path, by the collection before it. */
const idKinds: Record<string, string> = {
  subjects: "sub",
  groups: "grp",
  achievements: "ach",
  templates: "tpl",
  credentials: "crd",
  messages: "msg",
  webhook_endpoints: "whe",
  webhook_deliveries: "dlv",
  events: "evt",
  bulk: "blk",
  connectors: "con",
  policies: "pol",
  claim_links: "clk",
  claims: "clm",
  name_confirmations: "ncf",
  name_requests: "nrq",
  issuer: "iky",
  photo_imports: "phi",
};

const rawBodies = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  '{"a":1,"a":2}',
  '{"n":9007199254740993}',
  '{"n":1e400}',
  '{"__proto__":{"a":1}}',
  "\ufeff{}",
  `${"[".repeat(100)}${"]".repeat(100)}`,
  '{"a":"\\ud800"}',
  "a=b&c=d",
  "\u0000",
];

/** Valid and broken bodies of an operation that takes a picture, with their media types. */
const pictures = await Promise.all(
  (["jpeg", "png", "webp"] as const).map(async (format) => ({
    type: `image/${format}`,
    bytes: await picture({ width: 90, height: 120, format }),
  })),
);
const boundary = "fuzz-boundary";
const asPart = (name: string, bytes: Buffer, type: string) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="p"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
const files: { raw: string | Buffer; rawType: string }[] = pictures.flatMap(({ type, bytes }) => [
  { raw: bytes, rawType: type },
  { raw: asPart("file", bytes, type), rawType: `multipart/form-data; boundary=${boundary}` },
  { raw: bytes.subarray(0, bytes.length / 2), rawType: type },
  { raw: asPart("other", bytes, type), rawType: `multipart/form-data; boundary=${boundary}` },
  { raw: asPart("file", bytes, type).subarray(0, 200), rawType: `multipart/form-data; boundary=${boundary}` },
  { raw: "no picture", rawType: type },
  { raw: "", rawType: type },
  { raw: bytes, rawType: "multipart/form-data" },
  { raw: bytes, rawType: "image/gif" },
]);
const archive = emptyFiles(["s-1.jpg", "Class/s-2.png", "__MACOSX/._s-1.jpg", "notes.txt"]);
const archives = [
  { raw: archive, rawType: "application/zip" },
  { raw: asPart("file", archive, "application/zip"), rawType: `multipart/form-data; boundary=${boundary}` },
  { raw: archive.subarray(0, -5), rawType: "application/zip" },
  { raw: emptyFiles([".DS_Store"]), rawType: "application/zip" },
];
/** Mostly bodies that are accepted. */
const fileBodies = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...files.filter(({ raw }) => raw.length > 200)) },
  { weight: 1, arbitrary: fc.constantFrom(...files) },
);

/** How often an operation is chosen. Operations that create what others need come more often. */
const weights: Record<string, number> = {
  subjectsUpsert: 3,
  credentialsIssue: 4,
  achievementsCreate: 2,
  templatesCreate: 2,
  groupsCreate: 2,
  publicPhoto: 4,
  credentialsBulk: 2,
  subjectsPhotoSet: 3,
  subjectsPhotoApprove: 16,
  subjectsPhotoReject: 16,
  // Drafts alone take a picture or a change, and most requests name another version.
  achievementsVersionsSetImage: 6,
  achievementsVersionsUpdate: 6,
  connectorsRunsApprove: 6,
  // Only a run that has ended is taken back, once.
  connectorsRunsUndo: 10,
  // Few connectors fetch.
  connectorsSync: 6,
  // Most name the plan of another run.
  policiesRunsApprove: 12,
  policiesCreate: 3,
  // Only a message that was cancelled is sent again at once.
  messagesCancel: 4,
  messagesResend: 10,
  nameConfirmationsCancel: 4,
  nameConfirmationsConfirm: 6,
  nameConfirmationsResend: 4,
  nameRequestsApprove: 6,
  nameRequestsReject: 6,
  // Most guess the wrong count.
  templatesRevokeCredentials: 12,
  templatesVersionsApply: 4,
  // Drafts alone change.
  templatesVersionsUpdate: 4,
  // Only an organisation that has set a domain, or a connector that receives files, succeeds.
  issuersVerifyDomain: 4,
  connectorsSftpPasswordCreate: 4,
};

/** Generates requests of all operations of the document. */
export function requests(operations: Described[], schemas: Schemas): fc.Arbitrary<Draft> {
  return fc.oneof(
    ...operations.map((described) => ({
      weight: weights[String(described.operation["operationId"])] ?? 1,
      arbitrary: requestOf(described, schemas),
    })),
  );
}

/**
 * Mostly makes the connector or policy in a path match its run, token or exception; two random ones would hardly ever
 * match.
 */
function ofOneOwner(inPath: Record<string, Value>): Record<string, Value> {
  const { id } = inPath;
  const part = inPath["run"] ?? inPath["token"] ?? inPath["subjectId"];
  return id instanceof Existing &&
    part instanceof Existing &&
    (id.kind === "con" || id.kind === "pol") &&
    part.kind !== "sub" &&
    !part.kind.includes(" ") &&
    id.pick % 8 > 0
    ? { ...inPath, id: new Existing(`owner of ${part.kind}`, part.pick) }
    : inPath;
}

function requestOf({ path, method, operation }: Described, schemas: Schemas): fc.Arbitrary<Draft> {
  const parameters = list(operation["parameters"]).filter(isObject);
  const named = (place: string) => parameters.filter((parameter) => parameter["in"] === place);
  const collection = path.split("/")[2]!;
  const pathValue = (name: string): fc.Arbitrary<Value> => {
    if (name === "density") return fc.constantFrom<Value[]>("1x", "2x", "3x", "@2x", "2", "4x", "x");
    if (name === "version")
      return fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 3 }) as fc.Arbitrary<Value> },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Value[]>("0", "-1", "2147483648", "9007199254740993", "1.5", "x", "01"),
        },
      );
    if (name === "purpose") return fc.constantFrom<Value[]>("revocation", "suspension", "other");
    const kind = /\/(?:credential|badge)\.(?:json|pdf|png|svg)$/.test(path)
      ? `document ${name}`
      : path.startsWith("/public/achievements/")
        ? path.endsWith("/image")
          ? "pictured acv"
          : "acv"
        : name === "slug"
          ? "issuer slug"
          : name === "code"
            ? "code"
            : name === "run"
              ? collection === "policies"
                ? "plr"
                : "run"
              : name === "token"
                ? "key"
                : name === "subjectId"
                  ? method === "delete"
                    ? "excepted"
                    : "sub"
                  : method === "get" && path.startsWith("/v1/achievements/") && path.endsWith("/image")
                    ? "pictured ach"
                    : path.startsWith("/v1/subjects/") && path.includes("/photo/")
                      ? "pictured sub"
                      : path.endsWith("/versions/{version}/apply")
                        ? "worn tpl"
                        : path.endsWith("/resume") && path.startsWith("/v1/credentials/")
                          ? "suspended crd"
                          : (idKinds[collection] ?? "any");
    const of = (prefix: string) => fc.nat(1_000_000).map((pick): Value => new Existing(`${prefix}${kind}`, pick));
    return fc.oneof(
      { weight: 20, arbitrary: of("") },
      { weight: 2, arbitrary: of("foreign ") },
      { weight: 1, arbitrary: hostileString.filter((text) => text !== "" && !/^\.{1,2}$/.test(text)) },
    );
  };
  const inPath = fc
    .record(Object.fromEntries(named("path").map(({ name }) => [String(name), pathValue(String(name))])))
    .map(ofOneOwner);
  const optional = (parameter: { [key: string]: Json }, presence: number) =>
    fc
      .oneof(
        {
          weight: parameter["required"] === true ? 30 : presence,
          arbitrary: valuesOf(parameter["schema"]!, schemas, String(parameter["name"])) as fc.Arbitrary<
            Value | undefined
          >,
        },
        { weight: parameter["required"] === true ? 1 : 10, arbitrary: fc.constant(undefined) },
      )
      .map((value) => (value === undefined ? [] : [[String(parameter["name"]), value] as [string, Value]]));
  const extra = fc.oneof(
    { weight: 60, arbitrary: fc.constant<[string, Value][]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<[string, Value][]>(["unknown", "1"], ["limit", "1"], ["limit", "2"], ["__proto__", "1"])
        .map((each) => [each]),
    },
  );
  const inQuery = fc
    .tuple(...named("query").map((parameter) => optional(parameter, 3)), extra)
    .map((parts) => parts.flat(1));
  const inHeaders = fc
    .tuple(...named("header").map((parameter) => headerOf(String(parameter["name"]))))
    .map((parts) => parts.flat(1));
  const content =
    isObject(operation["requestBody"]) && isObject(operation["requestBody"]["content"])
      ? Object.entries(operation["requestBody"]["content"])[0]
      : undefined;
  const isFile = content?.[0] === "multipart/form-data";
  const media = content?.[1];
  const isForm = content?.[0] === "application/x-www-form-urlencoded";
  const takesBody = method !== "get" && method !== "delete";
  const body: fc.Arbitrary<Value | undefined> =
    isObject(media) && !isFile
      ? fc.oneof(
          { weight: 12, arbitrary: valuesOf(media["schema"]!, schemas) },
          { weight: 3, arbitrary: fc.constant((media["example"] ?? {}) as Value) },
        )
      : takesBody
        ? fc.constantFrom<(Value | undefined)[]>(undefined, undefined, {}, { a: 1 })
        : fc.constant(undefined);
  const noRaw = { raw: undefined, rawType: undefined };
  const rawJson = { weight: 1, arbitrary: fc.constantFrom(...rawBodies).map((raw) => ({ raw, rawType: undefined })) };
  const raw: fc.Arbitrary<Pick<Draft, "raw" | "rawType">> = isFile
    ? fc.oneof(
        { weight: 30, arbitrary: fileBodies },
        { weight: operation["operationId"] === "photosImport" ? 120 : 0, arbitrary: fc.constantFrom(...archives) },
        rawJson,
      )
    : takesBody
      ? fc.oneof({ weight: 30, arbitrary: fc.constant(noRaw) }, rawJson)
      : fc.constant(noRaw);
  return fc
    .record({
      path: fc.constant(path),
      method: fc.constant(method),
      operation: fc.constant(operation),
      inPath: inPath as fc.Arbitrary<Record<string, Value>>,
      inQuery,
      inHeaders: fc.tuple(inHeaders, oddHeaders(takesBody)).map((parts) => parts.flat(1)),
      body,
      form: fc.constant(isForm),
      sentRaw: raw,
      token: fc.oneof(
        { weight: 40, arbitrary: fc.constant("full" as const) },
        { weight: 1, arbitrary: fc.constantFrom("none", "wrong", "narrow", "foreign") },
      ),
    })
    .map(({ sentRaw, ...draft }) => ({ ...draft, ...sentRaw }));
}

function headerOf(name: string): fc.Arbitrary<[string, Value][]> {
  const none = fc.constant<[string, Value][]>([]);
  const given = (values: fc.Arbitrary<Value>) => values.map((value): [string, Value][] => [[name, value]]);
  if (name === "Idempotency-Key")
    return fc.oneof(
      { weight: 3, arbitrary: none },
      {
        weight: 1,
        arbitrary: given(
          fc.oneof(
            fc.integer({ min: 1, max: 1500 }).map((n): Value => `key-${n}`),
            fc.constantFrom<Value[]>('"quoted"', "a".repeat(255), "a".repeat(256), "é"),
          ),
        ),
      },
    );
  if (name === "If-Match" || name === "If-None-Match")
    return fc.oneof(
      { weight: 3, arbitrary: none },
      {
        weight: 1,
        arbitrary: given(
          fc.oneof(
            fc.nat(1_000_000).map((pick): Value => new Existing("etag", pick)),
            fc.constantFrom<Value[]>("*", '"other"', 'W/"x", "y"', "garbage"),
          ),
        ),
      },
    );
  return fc.oneof(
    { weight: 5, arbitrary: none },
    { weight: 1, arbitrary: given(fc.constantFrom<Value[]>("respond-async", "nonsense, respond-async; wait=1")) },
  );
}

/** Generates headers that contradict the body or that no operation knows. */
function oddHeaders(takesBody: boolean): fc.Arbitrary<[string, Value][]> {
  const odd: [string, Value][] = [
    ["Accept", "text/html"],
    ["X-HTTP-Method-Override", "DELETE"],
    ["Origin", "https://evil.example"],
    ["Accept-Language", "de"],
    ...(takesBody
      ? ([
          ["Content-Type", "text/plain"],
          ["Content-Type", "application/json; charset=latin1"],
          ["Content-Encoding", "gzip"],
        ] as [string, Value][])
      : []),
  ];
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant<[string, Value][]>([]) },
    { weight: 1, arbitrary: fc.constantFrom(...odd).map((each) => [each]) },
  );
}
