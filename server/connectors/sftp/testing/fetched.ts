import { call } from "@/server/testing/request";
import type { World } from "@/server/testing/world";
import { mapping } from "../../testing/feed";
import type { RunView } from "../../run-view";
import { fetchNext } from "../../run/fetch";
import { fileAway } from "../../run/file-away";
import { runConnectorStep } from "../../run/step";
import type { HostKey } from "../host-key";
import { Office } from "./office";

interface Tested {
  ok: boolean;
  error: { code: string; message: string } | null;
  columns: string[];
  rows: string[][];
  hostKey: HostKey | null;
  files: string[];
}

/** A connector that fetches from a customer's SFTP server on loopback, whose host key is approved. */
export class Fetched {
  /** Called between the two listings of the folder, instead of waiting. */
  between: () => void | Promise<void> = () => undefined;

  private constructor(
    readonly token: string,
    readonly office: Office,
    readonly id: string,
  ) {}

  static settings = (office: Office, more: object = {}) => ({
    direction: "fetch",
    host: "127.0.0.1",
    port: office.port,
    username: "bonafide",
    path: "/out/*.csv",
    ...more,
  });

  static async open(world: World, settings: object = {}, body: object = {}): Promise<Fetched> {
    const office = await Office.open();
    const token = await world.key();
    const { hostKey } = await Fetched.test(token, { settings: Fetched.settings(office) });
    const answer = await call("POST", "/v1/connectors", {
      token,
      body: {
        name: "Drop",
        type: "sftp",
        mapping,
        settings: Fetched.settings(office, { hostKey, ...settings }),
        secret: office.password,
        missing: "deactivate",
        ...body,
      },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return new Fetched(token, office, answer.json<{ id: string }>().id);
  }

  static async test(token: string, { settings, ...rest }: { settings: object; secret?: string }): Promise<Tested> {
    const answer = await call("POST", "/v1/connectors/test", { token, body: { sftp: settings, ...rest } });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json<Tested>();
  }

  post = (path: string, body: object = {}) =>
    call("POST", `/v1/connectors/${this.id}${path}`, { token: this.token, body });

  delete = () => call("DELETE", `/v1/connectors/${this.id}`, { token: this.token });

  patch = (body: object) => call("PATCH", `/v1/connectors/${this.id}`, { token: this.token, body });

  /** Changes the port in the connector's settings. */
  async moveTo(port: number): Promise<void> {
    const path = `/v1/connectors/${this.id}`;
    const { settings } = (await call("GET", path, { token: this.token })).json<{ settings: object }>();
    await this.patch({ settings: { ...settings, port }, secret: this.office.password });
  }

  /** Requests a run and completes it, including the move of its file. */
  async sync(): Promise<RunView> {
    const answer = await this.post("/sync");
    if (answer.status !== 202) throw new Error(answer.text);
    return this.finish(answer.json<RunView>().id);
  }

  /** Runs steps until a run is over and its file is moved. Another process may work on it at the same time. */
  async finish(id: string): Promise<RunView> {
    for (;;) {
      await fetchNext(new Date(), { pause: async () => this.between() });
      await runConnectorStep(new Date());
      const run = await this.run(id);
      if (run.status === "queued" || run.status === "running") continue;
      while (await fileAway(new Date()));
      return this.run(id);
    }
  }

  run = async (id: string) =>
    (await call("GET", `/v1/connectors/${this.id}/runs/${id}`, { token: this.token })).json<RunView>();

  runs = async () =>
    (await call("GET", `/v1/connectors/${this.id}/runs`, { token: this.token })).json<{ data: RunView[] }>().data;
}
