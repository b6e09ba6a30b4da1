import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { anyScope, scopes } from "@/server/core/scopes";
import { routes } from "../generated/routes";
import { headerFields } from "@/server/core/header-fields";
import { takesIfMatch, takesPrecondition, type RouteSpec } from "@/server/http/rest/route";
import { bytes, fileContent } from "./file-content";
import { finished } from "./finish-document";
import { refusalResponses } from "./problem-schema";
import { publicOperations } from "./public-operations";
import { refusalsOf } from "./refusals";
import { tagOf, tags } from "./tags";
import { webhookOperations } from "./webhook-operations";
import { withExamples } from "./with-examples";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Builds the OpenAPI 3.1 document from the same route files and schemas that serve the API. */
export function openApiDocument() {
  return finished(
    withExamples(
      createDocument(
        {
          openapi: "3.1.0",
          info: {
            title: "Bonafide",
            version: "1.0.0",
            description,
            contact: { name: "Bonafide" },
            license: { name: "Apache-2.0", identifier: "Apache-2.0" },
          },
          servers: [{ url: "/", description: "This service" }],
          security: [{ bearer: [] }],
          tags,
          paths: paths(),
          webhooks: webhookOperations(),
          components: {
            securitySchemes: {
              bearer: {
                type: "http",
                scheme: "bearer",
                description: "An API key (svc_sk_live_…) or an OAuth access token (svc_at_…); both at every endpoint.",
              },
              oauth: {
                type: "oauth2",
                flows: {
                  clientCredentials: {
                    tokenUrl: "/oauth/token",
                    scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
                  },
                },
              },
            },
          },
        },
        // Clients must tolerate fields that a later version adds (spec section 9), so outputs allow other fields.
        // A format tells people in one line what zod's pattern next to it says in ten, so the pattern is dropped.
        {
          override({ jsonSchema, io }) {
            if (io === "output") delete jsonSchema.additionalProperties;
            // An output has no pattern, because a later version may return values of another form.
            if (io === "output" || jsonSchema.format) delete jsonSchema.pattern;
          },
        },
      ),
    ),
  );
}

const description = `REST over JSON, for issuing, managing and verifying credentials. The [guides](/docs) have a quick start and explain
[authentication](/docs/authentication), [states](/docs/states), [webhooks](/docs/webhooks), [idempotency](/docs/idempotency) and [lists](/docs/pagination).

Times are RFC 3339 in UTC with milliseconds; ids are opaque strings that sort by time. Bodies are JSON in UTF-8, uncompressed. A number that a double does not hold exactly (beyond ±(2^53 − 1), or with too many digits) is refused: send a string. So is a key that stands twice in one object. A body of no bytes counts as \`{}\`.

Errors are \`application/problem+json\` (RFC 9457) with a \`code\`, whose [cause and remedy](/docs/errors) are told. \`POST\`, \`PATCH\`, \`PUT\` and \`DELETE\` accept an \`Idempotency-Key\`, kept for 24 hours.

Within /v1, fields are added without notice; none is removed or [changes its meaning](/docs/versioning).`;

interface Described {
  path: string;
  method: (typeof methods)[number];
  spec: RouteSpec;
}

/** Returns every method of every route file that serves an operation. */
export function describedRoutes(): Described[] {
  return routes.flatMap(({ path, handlers }) =>
    methods.flatMap((method) => {
      const spec = (handlers as Record<string, { spec?: RouteSpec }>)[method]?.spec;
      return spec ? [{ path: path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}"), method, spec }] : [];
    }),
  );
}

function paths(): ZodOpenApiPathsObject {
  const all: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of describedRoutes()) (all[route.path] ??= {})[route.method.toLowerCase()] = describe(route);
  for (const { path, method, ...operation } of publicOperations)
    (all[path] ??= {})[method] = { security: [], ...operation };
  return all;
}

/** The path of the list whose ids a path parameter takes. */
function listOf(param: string, path: string): string {
  if (param === "subjectId") return "/v1/subjects";
  return path.slice(0, path.indexOf(`/{${param}}`));
}

function describe({ path, method, spec }: Described): ZodOpenApiOperationObject {
  const { name, scope, input, tag } = spec.operation.operation;
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param!);
  const shape = shapeOf(input);
  const hidden = new Set([
    ...pathNames,
    ...headerFields,
    ...(spec.file ? [spec.file.field] : []),
    ...Object.keys(spec.fromHeaders?.(new Headers()) ?? {}),
  ]);
  const sent = shape && Object.fromEntries(Object.entries(shape).filter(([field]) => !hidden.has(field)));
  const takesBody = method !== "GET" && method !== "DELETE";
  const hasSent = sent === undefined || Object.keys(sent).length > 0;
  const bodySchema = sent ? z.strictObject({ ...sent, ...describedRows(spec, sent) }) : input;
  const operationId = name.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
  const takesKey = spec.operation.operation.kind === "command";
  const ignoresKey = method === "POST" && !takesKey;
  const revalidates = spec.download ? isRevalidated(spec) : tag !== undefined && method === "GET";
  const headers = {
    ...(takesKey && idempotencyHeader),
    ...(ignoresKey && ignoredHeader),
    ...(takesIfMatch(spec) && ifMatchHeader),
    ...(takesPrecondition(spec, "ifNoneMatch") && ifNoneMatchHeader),
    ...(spec.fromHeaders && !spec.download && preferHeader),
    ...(revalidates && earlierHeader),
  };
  const statuses = spec.statuses ?? [spec.response === null && !spec.download ? 204 : 200];
  return {
    operationId,
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    tags: [tagOf(path)],
    security: [{ bearer: [] }, ...scopeSetsOf(spec).map((oauth) => ({ oauth }))],
    requestParams: {
      ...(pathNames.length > 0 && {
        path: z.object(
          Object.fromEntries(
            pathNames.map((param) => [
              param,
              z.string().meta({
                description:
                  shape?.[param]?.meta()?.description ??
                  (param === "version"
                    ? "The number of the version."
                    : `An id of the list GET ${listOf(param, path)}.`),
              }),
            ]),
          ),
        ),
      }),
      ...(!takesBody && sent && hasSent && { query: z.object(sent) }),
      ...(Object.keys(headers).length > 0 && { header: z.object(headers) }),
    },
    ...(spec.file && !spec.file.besideJson && { requestBody: { required: true, content: fileContent(spec.file) } }),
    ...(takesBody &&
      hasSent && {
        requestBody: {
          required: true,
          content: {
            ...((!spec.file || spec.file.besideJson) && {
              "application/json": {
                schema: bodySchema,
                ...(spec.example?.request !== undefined && { example: spec.example.request }),
              },
            }),
            ...(spec.file && fileContent(spec.file, sent)),
          },
        },
      }),
    responses: {
      ...Object.fromEntries(
        statuses.map((status) => [
          String(status),
          spec.download
            ? {
                description: spec.download.description,
                headers: downloadHeaders(spec, spec.download),
                content: Object.fromEntries(spec.download.types.map((type) => [type, { schema: bytes(type) }])),
              }
            : spec.response === null || status === 204
              ? { description: "Done; no body." }
              : {
                  description: statusWords[status] ?? "Done.",
                  ...((tag || status === 202 || (status === 201 && spec.location)) && {
                    headers: z.object({
                      ...(tag && etagHeader),
                      ...(status === 202 && locationHeader),
                      ...(status === 201 && spec.location && createdAtHeader),
                    }),
                  }),
                  content: {
                    "application/json": {
                      schema: spec.responses?.[status] ?? spec.response,
                      ...(spec.example?.response !== undefined && { example: spec.example.response }),
                    },
                  },
                },
        ]),
      ),
      ...(revalidates && {
        "304": {
          description: "What If-None-Match names is still what there is.",
          headers: spec.download ? downloadHeaders(spec, spec.download) : z.object(etagHeader),
        },
      }),
      ...refusalResponses(
        refusalsOf({
          operationId,
          takesAnyScope: scope === anyScope,
          isList: sent !== undefined && "cursor" in sent,
          takesBody: takesBody && (!spec.file || spec.file.besideJson === true),
          takesFile: spec.file !== undefined,
          takesKey,
          takesIfMatch: takesIfMatch(spec),
          namesResource: pathNames.length > 0,
        }),
      ),
    },
  };
}

/**
 * Returns a list of rows with the row's shape: the operation's own schema accepts anything, so that each row can be
 * refused separately.
 */
function describedRows({ rows, row }: RouteSpec, sent: Record<string, z.ZodType>): Record<string, z.ZodType> {
  if (!rows) return {};
  const list = sent[rows];
  if (!row || !(list instanceof z.ZodArray))
    throw new Error(`A route with rows needs a list of them, and a row's schema`);
  return { [rows]: list.clone({ ...list.def, element: row }).meta(list.meta() ?? {}) };
}

/** The sets of scopes of which a token needs one. */
function scopeSetsOf({ operation, scopeSets }: RouteSpec): string[][] {
  if (scopeSets) return scopeSets.map((set) => [...set]);
  const { name, scope, alsoScope } = operation.operation;
  if (typeof scope === "function")
    throw new Error(`The scope of ${name} depends on its input: its route needs scopeSets`);
  if (scope === anyScope) return [[]];
  // Where a person's scope will do too, it is not one that a token can have.
  return [scope]
    .flat()
    .filter((each) => (scopes as readonly string[]).includes(each))
    .map((each) => (alsoScope ? [each, alsoScope] : [each]));
}

/** Whether a download has an ETag: where Accept selects its form, and where its route says so. */
const isRevalidated = (spec: RouteSpec) => spec.fromHeaders !== undefined || spec.download?.revalidated === true;

/** An image is shown and revalidated; any other file is saved. */
const downloadHeaders = (spec: RouteSpec, { types, saved }: NonNullable<RouteSpec["download"]>) =>
  z.object({
    ...(isRevalidated(spec) && { ETag: z.string(), Vary: z.string() }),
    ...((saved || !types[0].startsWith("image/")) && { "Content-Disposition": z.string() }),
  });

const idempotencyHeader = {
  "Idempotency-Key": z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Makes a repeat of this request safe for 24 hours." }),
};

const ifMatchHeader = {
  "If-Match": z.string().max(2000).optional().meta({
    description:
      "The ETag of what the change is based on. 412 precondition_failed where it has changed meanwhile, and nothing is done.",
  }),
};

const ifNoneMatchHeader = {
  "If-None-Match": z
    .literal("*")
    .optional()
    .meta({ description: "Create only: 412 precondition_failed where it is there already." }),
};

const earlierHeader = {
  "If-None-Match": z
    .string()
    .max(2000)
    .optional()
    .meta({ description: "The ETag of an earlier answer: 304 where nothing has changed since." }),
};

const preferHeader = {
  Prefer: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: "respond-async: a job, however few the rows (RFC 7240)." }),
};

const ignoredHeader = {
  "Idempotency-Key": z.string().optional().meta({ description: "Ignored: the answer is always computed anew." }),
};

const locationHeader = { Location: z.string().meta({ description: "The path at which to see what becomes of it." }) };
const createdAtHeader = { Location: z.string().meta({ description: "The path of what was created." }) };
const etagHeader = {
  ETag: z.string().meta({ description: "The state that was answered, for If-Match and If-None-Match." }),
};

const statusWords: Record<number, string> = { 200: "Done.", 201: "Created.", 202: "Accepted; the work goes on." };

function shapeOf(input: z.ZodType): Record<string, z.ZodType> | undefined {
  return input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>) : undefined;
}
