import type { Ctx } from "@/server/core/context";
import {
  readBulk,
  referencesOf,
  resolveReferences,
  withoutReferences,
  type BulkOperation,
} from "@/server/scim/protocol/bulk";
import { badRequest, ScimError } from "@/server/scim/protocol/error";
import { bulkResponseUrn } from "@/server/scim/protocol/messages";
import { isFields, type Json } from "@/server/scim/protocol/values";
import { noteAll, noteConnection, noteRefusal, noting } from "@/server/scim/requests/effect";
import { scimBase } from "@/server/scim/scim-base";
import { kinds, type Body, type Done, type Kind } from "./bulk-kinds";
import { errorOf, reasonOf } from "./refusal";
import { answer, scimRoute } from "./scim-route";

/** The answer of one operation of a bulk request. */
interface Outcome {
  method: string;
  status: string;
  bulkId?: string;
  location?: string;
  version?: string;
  response?: object;
}

/** A resource that was created without its references to other operations of a cycle, and how to add them. */
interface Incomplete {
  n: number;
  id: string;
  kind: Kind;
  data: Json;
  references: ReadonlySet<string>;
}

/**
 * POST /Bulk (RFC 7644 section 3.7): runs operations one after another, each atomic by itself. An operation that refers
 * to the bulkId of another one runs after it. If resources refer to each other, one is created without the reference
 * and completed once the other exists.
 */
export const bulk = scimRoute(async ({ ctx, requestId, body }) => {
  const { operations, failOnErrors } = readBulk(await body());
  const work = new BulkWork(ctx, requestId, operations);
  for (const n of operations.keys()) {
    if (work.failures >= failOnErrors) break;
    await work.run(n);
    await work.complete();
  }
  return answer({ schemas: [bulkResponseUrn], Operations: work.outcomes });
});

class BulkWork {
  failures = 0;
  readonly #byBulkId: ReadonlyMap<string, number>;
  readonly #ids = new Map<string, string>();
  readonly #begun = new Set<number>();
  readonly #outcomes: (Outcome | undefined)[];
  #incomplete: Incomplete[] = [];

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
    const { method, bulkId, path } = this.operations[n]!;
    const named = { method, ...(bulkId !== null && { bulkId }) };
    try {
      const { id, ...done } = await this.#noting((ctx) => this.#perform(n, ctx));
      if (bulkId !== null) this.#ids.set(bulkId, id);
      this.#outcomes[n] = { ...named, ...done };
    } catch (error) {
      this.#fail(n, { ...named, ...(method !== "POST" && { location: this.#locationOf(path) }) }, error);
    }
  }

  /**
   * Writes the references that were left out of resources in a cycle. If the other resource was not created, the
   * operation's answer is a 409 with the location of the resource that was created without the reference.
   */
  async complete(): Promise<void> {
    const all = this.#incomplete;
    this.#incomplete = [];
    for (const { n, id, kind, data, references } of all) {
      const before = this.#outcomes[n]!;
      try {
        if ([...references].some((each) => !this.#ids.has(each)))
          throw refersToFailed("This resource was created without its reference: the other operation failed.");
        const whole = resolveReferences(data, this.#ids) as Body;
        const { version } = await this.#noting((ctx) => kind.replace(ctx, id, whole, undefined));
        this.#outcomes[n] = { ...before, ...(version !== undefined && { version }) };
      } catch (error) {
        const { version: _, ...named } = before;
        this.#fail(n, named, error);
      }
    }
  }

  /** Runs one operation. Its writes are kept only if it succeeds. */
  async #noting<T>(perform: (ctx: Ctx) => Promise<T>): Promise<T> {
    const own = noting(this.ctx);
    const result = await perform(own.ctx);
    noteAll(this.ctx, own.noted.effect);
    if (own.noted.connectorId) noteConnection(this.ctx, own.noted.connectorId);
    return result;
  }

  #fail(n: number, named: Omit<Outcome, "status">, error: unknown): void {
    this.failures++;
    noteRefusal(this.ctx, reasonOf(error).error);
    const { status, body } = errorOf(error, this.requestId);
    this.#outcomes[n] = { ...named, status: String(status), response: body };
  }

  async #perform(n: number, ctx: Ctx): Promise<Done> {
    const operation = this.operations[n]!;
    const open = await this.#runReferenced(operation);
    const { method, version, data = {} } = operation;
    const { kind, id, isResource } = this.#target(operation.path);
    const resolved = resolveReferences(open.size > 0 ? (withoutReferences(data, open) ?? {}) : data, this.#ids);
    if (!isFields(resolved)) throw badRequest("invalidSyntax", "The data of an operation is an object.");
    if (!kind || (method === "POST") !== (id === null) || !isResource)
      throw badRequest("invalidPath", "The path of an operation is /Users or /Groups for a POST, else with an id.");
    if (method === "POST") {
      if (operation.bulkId === null)
        throw badRequest("invalidSyntax", "A POST has a bulkId: without it, its result cannot be told from others.");
      const created = await kind.create(ctx, resolved);
      if (open.size > 0) this.#incomplete.push({ n, id: created.id, kind, data, references: open });
      return created;
    }
    if (open.size > 0) throw refersToFailed("The operation refers to itself.");
    if (method === "PUT") return kind.replace(ctx, id!, resolved, version);
    if (method === "PATCH") return kind.patch(ctx, id!, resolved, version);
    if (method !== "DELETE")
      throw badRequest("invalidSyntax", "The method of an operation is POST, PUT, PATCH or DELETE.");
    await kind.remove(ctx, id!, version);
    return { id: id!, location: locationOf(kind, id!), status: "204" };
  }

  /** Returns the resource that a path names. A bulkId in the path is replaced by the id if its operation is done. */
  #target(path: string): { kind: Kind | undefined; id: string | null; isResource: boolean } {
    const [root, endpoint = "", last, ...more] = path.split("/");
    return {
      kind: kinds.get(endpoint.toLowerCase()),
      id: last === undefined ? null : String(resolveReferences(decodeId(last), this.#ids)),
      isResource: root === "" && more.length === 0,
    };
  }

  /** Returns the address of an operation's resource, even if the resource does not exist (RFC 7644 section 3.7). */
  #locationOf(path: string): string {
    const { kind, id, isResource } = this.#target(path);
    if (kind && id !== null && isResource) return locationOf(kind, id);
    return new URL(`${scimBase()}/${path.replace(/^\/+/, "")}`).href;
  }

  /**
   * Runs the operations to which one refers.
   *
   * @returns the bulkIds that are not done because they wait for this operation
   */
  async #runReferenced(operation: BulkOperation): Promise<ReadonlySet<string>> {
    const open = new Set<string>();
    for (const each of referencesOf(operation)) {
      const n = this.#byBulkId.get(each);
      if (n === undefined) throw badRequest("invalidValue", "A reference names a bulkId that no operation has.");
      await this.run(n);
      if (this.#outcomes[n] === undefined) open.add(each);
      else if (!this.#ids.has(each)) throw refersToFailed("The operation that this one refers to failed.");
    }
    return open;
  }
}

const locationOf = ({ endpoint }: Kind, id: string): string => `${scimBase()}${endpoint}/${encodeURIComponent(id)}`;

const refersToFailed = (detail: string) => new ScimError(409, undefined, detail);

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
