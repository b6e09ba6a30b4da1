import { headerComponents, headersOf } from "./answer-headers";
import { at, isObject, type Json } from "./json";
import { portable } from "./portable-schemas";

type Part = { [key: string]: Json };

/**
 * Does what zod-openapi does not: makes schemas portable, names the headers of each response, and replaces parts that
 * many operations have in common by references.
 */
export function finished<D>(document: D): D {
  const copy = JSON.parse(JSON.stringify(document)) as Part;
  const components = copy["components"] as Part;
  components["headers"] = headerComponents;
  components["schemas"] = Object.fromEntries(
    Object.entries(components["schemas"] as Part).map(([name, schema]) => [name, portable(schema)]),
  );
  const shared = { responses: {}, parameters: {} } as Record<"responses" | "parameters", Part>;
  for (const items of [copy["paths"], copy["webhooks"]]) {
    for (const [path, item] of Object.entries(items as Record<string, Record<string, Part>>)) {
      for (const operation of Object.values(item)) {
        finishOperation(path, operation, items === copy["paths"]);
        if (path.startsWith("/v1/"))
          operation["responses"] = shareResponses(operation["responses"] as Part, shared.responses);
        if (items === copy["webhooks"])
          operation["parameters"] = (operation["parameters"] as Part[]).map((each) =>
            share(each, String(each["name"]), shared.parameters, "parameters"),
          );
      }
    }
  }
  Object.assign(components, shared);
  return copy as D;
}

/** Refusals that are the same in every operation, with the names of their components. */
const sharedRefusals: Record<string, string> = {
  "401": "Unauthorized",
  "403": "Forbidden",
  "408": "RequestTimeout",
  "417": "ExpectationFailed",
  "421": "MisdirectedRequest",
  "429": "TooManyRequests",
  "431": "HeaderFieldsTooLarge",
  "500": "InternalError",
  "503": "Unavailable",
};

function shareResponses(responses: Part, shared: Part): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const name = sharedName(status, response);
      return [status, name ? share(response, name, shared, "responses") : response];
    }),
  );
}

/**
 * An operation that any token may call has its own 403, whose reason is never a missing scope; one that opens a stored
 * file has its own 503.
 */
function sharedName(status: string, response: Json | undefined): string | undefined {
  const says = (code: string) => String(at(response, "description")).includes(code);
  if (status === "403" && !says("insufficient_scope")) return "OrganisationSuspended";
  if (status === "503" && says("file_missing")) return "FileUnavailable";
  if (status === "410" && !says("expired") && !says("holder_erased")) return "AnswerLost";
  return sharedRefusals[status];
}

/** Stores a part under its name and returns the reference to it. @throws Error if another part has the name. */
function share(part: Json, name: string, shared: Part, kind: string): Json {
  shared[name] ??= part;
  if (JSON.stringify(shared[name]) !== JSON.stringify(part))
    throw new Error(`Two ${kind} of the document differ, and have the name ${name}.`);
  return { $ref: `#/components/${kind}/${name}` };
}

function finishOperation(path: string, operation: Part, isAnswered: boolean): void {
  const parameters = (operation["parameters"] ?? []) as Part[];
  const answers = operation["responses"] as Record<string, Part>;
  const media = [operation["requestBody"], ...Object.values(answers)].flatMap((body) =>
    Object.values((at(body, "content") ?? {}) as Record<string, Part>),
  );
  for (const holder of [...parameters, ...media])
    if (holder["schema"] !== undefined) holder["schema"] = portable(holder["schema"]);
  if (!isAnswered) return;
  const hasTag = Object.values(answers).some((answer) => at(answer, "headers", "ETag") !== undefined);
  for (const [status, answer] of Object.entries(answers)) {
    const own = isObject(answer["headers"]) ? Object.keys(answer["headers"]) : [];
    const names = new Set([...headersOf({ path, status, takesKey: answers["422"] !== undefined, hasTag }), ...own]);
    answer["headers"] = Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  }
}
