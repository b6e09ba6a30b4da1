import { badRequest, ScimError } from "./error";
import { fields, isFields, isSafeName, textOfScalar, type Fields, type Json } from "./values";

/** Most operations of a bulk request. */
export const mostBulkOperations = 500;

/** One operation of a bulk request (RFC 7644 section 3.7) as it was sent. An error in it fails only this operation. */
export interface BulkOperation {
  method: string;
  path: string;
  bulkId: string | null;
  /** The required version of the resource, like If-Match of a single request. */
  version: string | undefined;
  data: Json | undefined;
}

/**
 * Reads a bulk request.
 *
 * @returns `failOnErrors`: after how many failed operations the rest is skipped
 * @throws ScimError invalidSyntax; 413 for too many operations; invalidValue for a bulkId that is used twice
 */
export function readBulk(body: Fields): { operations: BulkOperation[]; failOnErrors: number } {
  const sent = member(body, "operations");
  if (!Array.isArray(sent)) throw badRequest("invalidSyntax", "A bulk request has a list of Operations.");
  if (sent.length > mostBulkOperations)
    throw new ScimError(413, undefined, `A bulk request has at most ${mostBulkOperations} operations.`);
  const operations = sent.map(readOperation);
  const bulkIds = operations.flatMap(({ bulkId }) => bulkId ?? []);
  if (new Set(bulkIds).size < bulkIds.length)
    throw badRequest("invalidValue", "Each bulkId names one operation of the request.");
  const limit = member(body, "failonerrors");
  if (limit !== undefined && limit !== null && !(Number.isInteger(limit) && Number(limit) >= 1))
    throw badRequest("invalidValue", "failOnErrors is a whole number from 1 on.");
  return { operations, failOnErrors: typeof limit === "number" ? limit : Infinity };
}

function readOperation(sent: Json): BulkOperation {
  if (!isFields(sent)) throw badRequest("invalidSyntax", "An operation is an object with method and path.");
  const bulkId = member(sent, "bulkid");
  const version = member(sent, "version");
  return {
    method: textOfScalar(member(sent, "method")).toUpperCase(),
    path: textOfScalar(member(sent, "path")),
    bulkId: typeof bulkId === "string" && bulkId !== "" ? bulkId : null,
    version: typeof version === "string" && version !== "" ? version : undefined,
    data: member(sent, "data"),
  };
}

/** Members of a message are found in any case. */
function member(object: Fields, lower: string): Json | undefined {
  const key = Object.keys(object).find((each) => each.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

const reference = /^bulkId:(.+)$/i;

/** Returns the bulkIds to which the path and the data of an operation refer. */
export function referencesOf({ path, data }: Pick<BulkOperation, "path" | "data">): Set<string> {
  const found = new Set<string>();
  const look = (value: Json | undefined): void => {
    if (typeof value === "string") {
      const named = reference.exec(value)?.[1];
      if (named !== undefined) found.add(named);
    } else if (Array.isArray(value)) value.forEach(look);
    else if (isFields(value)) Object.values(value).forEach(look);
  };
  look(data);
  look(path.split("/").at(-1));
  return found;
}

/** Replaces references to bulkIds by ids. */
export function resolveReferences(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return ids.get(reference.exec(value)?.[1] ?? "") ?? value;
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, ids));
  if (!isFields(value)) return value;
  const result = fields();
  for (const [name, each] of Object.entries(value)) if (isSafeName(name)) result[name] = resolveReferences(each, ids);
  return result;
}

/** Removes references to these bulkIds: an attribute, a value of a list, or the object whose `value` is the reference. */
export function withoutReferences(value: Json, bulkIds: ReadonlySet<string>): Json | undefined {
  if (typeof value === "string") return bulkIds.has(reference.exec(value)?.[1] ?? "") ? undefined : value;
  if (Array.isArray(value)) return value.flatMap((each) => withoutReferences(each, bulkIds) ?? []);
  if (!isFields(value)) return value;
  const result = fields();
  for (const [name, each] of Object.entries(value)) {
    const kept = withoutReferences(each, bulkIds);
    if (kept === undefined && name.toLowerCase() === "value") return undefined;
    if (kept !== undefined && isSafeName(name)) result[name] = kept;
  }
  return result;
}
