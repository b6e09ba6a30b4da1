import { call } from "@/server/testing/request";
import type { World } from "@/server/testing/world";

type Body = Record<string, unknown>;

/** A directory that pushes to a SCIM connection over HTTP. */
export class Directory {
  private constructor(
    readonly world: World,
    /** A key for the REST API. */
    readonly key: string,
    readonly id: string,
    readonly token: string,
  ) {}

  static async open(world: World, body: object = {}): Promise<Directory> {
    const key = await world.key(
      "connectors:read",
      "connectors:write",
      "connectors:approve",
      "subjects:read",
      "subjects:write",
      "groups:read",
      "groups:write",
    );
    const made = await call("POST", "/v1/connectors", {
      token: key,
      body: { name: "Directory", type: "scim", ...body },
    });
    if (made.status !== 201) throw new Error(made.text);
    const { id } = made.json<{ id: string }>();
    const token = await call("POST", `/v1/connectors/${id}/tokens`, { token: key, body: {} });
    return new Directory(world, key, id, token.json<{ secret: string }>().secret);
  }

  scim = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/scim/v2${path}`, {
      token: this.token,
      ...(body !== undefined && { body }),
      headers: { ...(body !== undefined && { "content-type": "application/scim+json" }), ...headers },
    });

  rest = (method: string, path: string, body?: unknown) =>
    call(method, `/v1${path}`, { token: this.key, ...(body !== undefined && { body }) });

  /** Creates a user and returns it. */
  async user(userName: string, more: Body = {}): Promise<Body & { id: string }> {
    const made = await this.scim("POST", "/Users", { userName, ...more });
    if (made.status !== 201) throw new Error(made.text);
    return made.json<Body & { id: string }>();
  }

  /** Creates a group and returns it. */
  async group(displayName: string, more: Body = {}): Promise<Body & { id: string }> {
    const made = await this.scim("POST", "/Groups", { displayName, ...more });
    if (made.status !== 201) throw new Error(made.text);
    return made.json<Body & { id: string }>();
  }

  /** The ids of 250 users, from the n-th on. */
  async userIds(n: number): Promise<string[]> {
    const answer = await this.scim("GET", `/Users?startIndex=${n}&count=250&attributes=id`);
    return answer.json<{ Resources: { id: string }[] }>().Resources.map(({ id }) => id);
  }

  patchGroup = (id: string, Operations: unknown, headers: Record<string, string> = {}) =>
    this.scim("PATCH", `/Groups/${id}`, { Operations }, headers);

  /** The values of the members of a group as SCIM shows them, sorted. */
  async members(id: string): Promise<string[]> {
    const { members = [] } = (await this.scim("GET", `/Groups/${id}`)).json<{ members?: { value: string }[] }>();
    return members.map(({ value }) => value).toSorted();
  }

  /** The ids of the members of a group of the organisation, sorted. */
  async applied(id: string): Promise<string[]> {
    const { data } = (await this.rest("GET", `/groups/${id}/members?limit=100`)).json<{
      data: { subjectId: string }[];
    }>();
    return data.map(({ subjectId }) => subjectId).toSorted();
  }

  patch = (id: string, Operations: unknown, headers: Record<string, string> = {}) =>
    this.scim("PATCH", `/Users/${id}`, { Operations }, headers);

  subject = async (id: string) => (await this.rest("GET", `/subjects/${id}`)).json<Body>();

  find = async (filter: string) =>
    (await this.scim("GET", `/Users?filter=${encodeURIComponent(filter)}`)).json<{
      totalResults: number;
      Resources: (Body & { id: string })[];
    }>();

  staged = async () =>
    (await this.rest("GET", `/connectors/${this.id}/staged?limit=100`)).json<{
      data: { subjectId: string; cause: string; displayName: string; groupName: string | null }[];
    }>().data;
}
