import { call } from "@/server/testing/request";
import type { World } from "@/server/testing/world";
import { fetchNext } from "../run/fetch";
import { runConnectorStep } from "../run/step";
import type { RunView } from "../run-view";

export const mapping = {
  externalId: "id",
  displayName: "name",
  email: "mail",
  status: "status",
  attributes: { department: "dept" },
};

/** A connector in a new organisation, to which tests upload files over HTTP. */
export class Feed {
  private constructor(
    readonly world: World,
    readonly token: string,
    readonly id: string,
  ) {}

  static async open(world: World, body: object = {}): Promise<Feed> {
    const token = await world.key();
    const answer = await call("POST", "/v1/connectors", {
      token,
      body: { name: "Registry", type: "csv", mapping, ...body },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return new Feed(world, token, answer.json<{ id: string }>().id);
  }

  /** Uploads a file without processing its run. */
  async queue(file: string | Uint8Array, headers: Record<string, string> = {}, token = this.token): Promise<RunView> {
    const answer = await call("POST", `/v1/connectors/${this.id}/upload`, {
      token,
      raw: file as BodyInit,
      headers: { "content-type": "text/csv", ...headers },
    });
    if (answer.status !== 202) throw new Error(answer.text);
    return answer.json<RunView>();
  }

  /** Uploads a file and completes its run. */
  async upload(file: string | Uint8Array): Promise<RunView> {
    const { id } = await this.queue(file);
    await this.work();
    return this.run(id);
  }

  async work(now: () => Date = () => new Date()): Promise<void> {
    while ((await runConnectorStep(now())) || (await fetchNext(now())));
  }

  async run(id: string): Promise<RunView> {
    return (await this.get(`/runs/${id}`)).json<RunView>();
  }

  errors = async (id: string) =>
    (await this.get(`/runs/${id}/errors?limit=100`)).json<{
      data: { line: number; column: string | null; code: string; message: string }[];
    }>().data;

  removals = async (id: string) =>
    (await this.get(`/runs/${id}/removals?limit=100`)).json<{ data: { externalId: string; state: string }[] }>().data;

  get = (path: string) => call("GET", `/v1/connectors/${this.id}${path}`, { token: this.token });

  delete = () => call("DELETE", `/v1/connectors/${this.id}`, { token: this.token });

  post = (path: string, body: object = {}, token = this.token) =>
    call("POST", `/v1/connectors/${this.id}${path}`, { token, body });
}

/** Creates a file that lists these people, with the columns of `mapping`. */
export const fileOf = (people: number[], status = "active") =>
  ["id,name,mail,status,dept", ...people.map((n) => `p-${n},Person ${n},p${n}@example.edu,${status},Physics`), ""].join(
    "\n",
  );

export const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
