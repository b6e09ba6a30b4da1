import type { Ctx } from "@/server/core/context";
import { createScimGroup } from "@/server/scim/groups/create";
import { deleteScimGroup } from "@/server/scim/groups/delete";
import { patchScimGroup } from "@/server/scim/groups/patch";
import { replaceScimGroup } from "@/server/scim/groups/replace";
import { readBulk, referencesOf, resolveReferences, type BulkOperation } from "@/server/scim/protocol/bulk";
import { badRequest, ScimError } from "@/server/scim/protocol/error";
import { bulkResponseUrn } from "@/server/scim/protocol/messages";
import { isFields } from "@/server/scim/protocol/values";
import { note, noteAll, noteConnection, noting } from "@/server/scim/requests/effect";
import { scimBase } from "@/server/scim/scim-base";
import { createScimUser } from "@/server/scim/users/create";
import { deleteScimUser } from "@/server/scim/users/delete";
import { patchScimUser } from "@/server/scim/users/patch";
import { replaceScimUser } from "@/server/scim/users/replace";
import { versionTag } from "@/server/scim/users/view";
import { errorOf } from "./refusal";
import { answer, scimRoute } from "./scim-route";

/** What an operation of a bulk request answers. */
interface Outcome {
  method: string;
  status: string;
  bulkId?: string;
  location?: string;
  version?: string;
  response?: object;
}

/**
 * POST /Bulk (RFC 7644 section 3.7): operations one after another, each all or nothing by itself. One that refers to the
 * bulkId of another is done after it.
 */
export const bulk = scimRoute(async ({ ctx, requestId, body }) => {
  const { operations, failOnErrors } = readBulk(await body());
  const work = new BulkWork(ctx, requestId, operations);
  for (const n of operations.keys()) {
    if (work.failures >= failOnErrors) break;
    await work.run(n);
  }
  return answer({ schemas: [bulkResponseUrn], Operations: work.outcomes });
});

class BulkWork {
  failures = 0;
  readonly #byBulkId: ReadonlyMap<string, number>;
  readonly #ids = new Map<string, string>();
  readonly #begun = new Set<number>();
  readonly #outcomes: (Outcome | undefined)[];

  constructor(
    private readonly ctx: Ctx,
    private readonly requestId: string,
    private readonly operations: readonly BulkOperation[],
  ) {
    this.#byBulkId = new Map(operations.flatMap(({ bulkId }, n) => (bulkId === null ? [] : [[bulkId, n] as const])));
    this.#outcomes = operations.map(() => undefined);
  }

  /** In the order of the request, without operations that were left out. */
  get outcomes(): Outcome[] {
    return this.#outcomes.filter((outcome) => outcome !== undefined);
  }

  /** Does an operation, after those that it refers to. */
  async run(n: number): Promise<void> {
    if (this.#begun.has(n)) return;
    this.#begun.add(n);
    const operation = this.operations[n]!;
    const { method, bulkId } = operation;
    const named = { method, ...(bulkId !== null && { bulkId }) };
    try {
      const own = noting(this.ctx);
      const { id, ...done } = await this.#perform(operation, own.ctx);
      noteAll(this.ctx, own.noted.effect);
      if (own.noted.connectorId) noteConnection(this.ctx, own.noted.connectorId);
      if (bulkId !== null) this.#ids.set(bulkId, id);
      this.#outcomes[n] = { ...named, ...done };
    } catch (error) {
      this.failures++;
      note(this.ctx, "failed");
      const { status, body } = errorOf(error, this.requestId);
      const at = method === "POST" ? {} : { location: `${scimBase()}${operation.path}` };
      this.#outcomes[n] = { ...named, ...at, status: String(status), response: body };
    }
  }

  async #perform(operation: BulkOperation, ctx: Ctx): Promise<{ id: string } & Omit<Outcome, "method" | "bulkId">> {
    const references = referencesOf(operation);
    for (const each of references) {
      const n = this.#byBulkId.get(each);
      if (n === undefined) throw badRequest("invalidValue", "A reference names a bulkId that no operation has.");
      await this.run(n);
      if (!this.#ids.has(each))
        throw new ScimError(409, undefined, "The operation that this one refers to failed, or refers to this one.");
    }
    const { method, version, data = {} } = operation;
    const [, endpoint = "", last] = operation.path.split("/");
    const resolved = resolveReferences(data, this.#ids);
    if (!isFields(resolved)) throw badRequest("invalidSyntax", "The data of an operation is an object.");
    const id = last === undefined ? null : String(resolveReferences(decodeId(last), this.#ids));
    const kind = kinds.get(endpoint.toLowerCase());
    if (!kind || (method === "POST") !== (id === null) || operation.path.split("/").length > 3)
      throw badRequest("invalidPath", "The path of an operation is /Users or /Groups for a POST, else with an id.");
    if (method === "POST") return kind.create(ctx, resolved);
    if (method === "PUT") return kind.replace(ctx, id!, resolved, version);
    if (method === "PATCH") return kind.patch(ctx, id!, resolved, version);
    if (method !== "DELETE")
      throw badRequest("invalidSyntax", "The method of an operation is POST, PUT, PATCH or DELETE.");
    await kind.remove(ctx, id!, version);
    return { id: id!, location: `${scimBase()}/${endpoint}/${id!}`, status: "204" };
  }
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Body = Parameters<typeof createScimUser>[1]["body"];
type Done = { id: string } & Pick<Outcome, "location" | "version" | "status">;

interface Kind {
  create(ctx: Ctx, body: Body): Promise<Done>;
  replace(ctx: Ctx, id: string, body: Body, ifMatch: string | undefined): Promise<Done>;
  patch(ctx: Ctx, id: string, body: Body, ifMatch: string | undefined): Promise<Done>;
  remove(ctx: Ctx, id: string, ifMatch: string | undefined): Promise<unknown>;
}

const without = { attributes: ["id"], excluded: null };

const done = (status: string, { id, location, version }: { id: string; location: string; version: number }): Done => ({
  id,
  location,
  version: versionTag(version),
  status,
});

/** The kinds of resources by their endpoints. Answers of bulk operations have no bodies, so that none is read. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    "users",
    {
      create: async (ctx, body) => done("201", await createScimUser(ctx, { body })),
      replace: async (ctx, id, body, ifMatch) =>
        done("200", await replaceScimUser(ctx, { id, body, ifMatch, projection: without })),
      patch: async (ctx, id, body, ifMatch) =>
        done("200", await patchScimUser(ctx, { id, body, ifMatch, projection: without })),
      remove: (ctx, id, ifMatch) => deleteScimUser(ctx, { id, ifMatch }),
    },
  ],
  [
    "groups",
    {
      create: async (ctx, body) => done("201", await createScimGroup(ctx, { body, projection: without })),
      replace: async (ctx, id, body, ifMatch) =>
        done("200", await replaceScimGroup(ctx, { id, body, ifMatch, projection: without })),
      patch: async (ctx, id, body, ifMatch) => {
        const { version } = await patchScimGroup(ctx, { id, body, ifMatch });
        return done("204", { id, location: `${scimBase()}/Groups/${id}`, version });
      },
      remove: (ctx, id, ifMatch) => deleteScimGroup(ctx, { id, ifMatch }),
    },
  ],
]);
