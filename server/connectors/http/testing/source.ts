import type { IncomingMessage, RequestListener } from "node:http";
import { listenHttp } from "@/server/outbound/testing/listener";
import { call } from "@/server/testing/request";
import type { World } from "@/server/testing/world";
import type { RunView } from "../../run-view";
import { fetchNext } from "../../run/fetch";
import { runConnectorStep } from "../../run/step";

export const pathMapping = {
  externalId: "id",
  displayName: { transform: "template", template: "{name.given} {name.family}" },
  email: "emails.0.value",
  status: "state",
};

export const person = (n: number, state = "active") => ({
  id: n,
  name: { given: "Person", family: String(n) },
  emails: [{ value: `p${n}@example.edu` }],
  state,
});

/** A connector of type http with its source, a server on loopback. Tests set `answer` to control the responses. */
export class Source {
  /** All requests that the source received. */
  readonly requests: IncomingMessage[] = [];
  answer: RequestListener = (_, response) => response.end("[]");

  private constructor(
    readonly token: string,
    readonly close: () => Promise<void>,
    readonly url: string,
  ) {}

  id = "";

  static async open(world: World, settings: object = {}, body: object = {}): Promise<Source> {
    let source: Source | undefined;
    const listener = await listenHttp((request, response) => {
      source!.requests.push(request);
      source!.answer(request, response);
    });
    source = new Source(await world.key(), listener.close, `http://127.0.0.1:${listener.port}/people`);
    const answer = await call("POST", "/v1/connectors", {
      token: source.token,
      body: {
        name: "API",
        type: "http",
        mapping: pathMapping,
        settings: { url: source.url, ...settings },
        missing: "deactivate",
        ...body,
      },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    source.id = answer.json<{ id: string }>().id;
    return source;
  }

  /** Answers with JSON that depends on the query of the request. */
  json(of: (query: URLSearchParams, request: IncomingMessage) => unknown): void {
    this.answer = (request, response) => {
      const body = JSON.stringify(of(new URL(request.url!, this.url).searchParams, request));
      response.setHeader("content-type", "application/json").end(body);
    };
  }

  queries = () => this.requests.map(({ url }) => new URL(url!, this.url).search);

  post = (path: string, body: object = {}) =>
    call("POST", `/v1/connectors/${this.id}${path}`, { token: this.token, body });

  /** Requests a run and completes it. */
  async sync(): Promise<RunView> {
    const answer = await this.post("/sync");
    if (answer.status !== 202) throw new Error(answer.text);
    return this.finish(answer.json<RunView>().id);
  }

  /** Runs steps until a run is over. Another process may work on it at the same time. */
  async finish(id: string): Promise<RunView> {
    for (;;) {
      await fetchNext(new Date());
      await runConnectorStep(new Date());
      const run = await this.run(id);
      if (run.status !== "queued" && run.status !== "running") return run;
    }
  }

  run = async (id: string) =>
    (await call("GET", `/v1/connectors/${this.id}/runs/${id}`, { token: this.token })).json<RunView>();
}
