import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import canonicalize from "canonicalize";

interface SentEvent {
  id?: string;
  name: string;
  data: Record<string, unknown>;
  ts: number;
}

interface Configured {
  id: string;
  triggers: { event?: string; expression?: string; cron?: string }[];
  steps: { step: { retries?: { attempts: number } } };
}

export interface ServerRun {
  functionId: string;
  event: SentEvent;
  state: "succeeded" | "failed";
  output: unknown;
  error?: { name: string; message: string };
}

interface Op {
  id: string;
  op: string;
  data?: unknown;
  error?: unknown;
}

type StepState = Record<string, { type: "data"; data: unknown } | { type: "error"; error: unknown }>;

/**
 * An Inngest server as our functions see it: takes registrations and events over HTTP and calls the functions with
 * signed requests. Sleeps end and retries follow at once. Written from the protocol alone and shares no code with the
 * embedded engine, so that each can be tested against the other.
 */
export class InngestServer {
  /** The only event key that the server accepts. */
  eventKey = "test-event-key";
  readonly signingKey = `signkey-test-${"0123456789abcdef".repeat(4)}`;
  readonly events: SentEvent[] = [];
  readonly registrations: { url: string; functions: Configured[] }[] = [];
  /** If true, registrations are refused, as while the server's own store is down. */
  refuses = false;
  refusals = 0;
  readonly runs: Promise<ServerRun>[] = [];
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));
  private functions: Configured[] = [];
  private appUrl = "";

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Reads the functions of an app as a server does: by a signed in-band sync. */
  async sync(appUrl: string): Promise<Configured[]> {
    this.appUrl = appUrl;
    const response = await fetch(appUrl, this.signed("PUT", { url: appUrl }, { "x-inngest-sync-kind": "in_band" }));
    const body = (await response.json()) as { functions: Configured[] };
    if (response.status !== 200) throw new Error(`Sync failed: ${response.status} ${JSON.stringify(body)}`);
    return (this.functions = body.functions);
  }

  /** Waits until every run has ended, including runs that other runs started. */
  async settled(): Promise<ServerRun[]> {
    for (let known = -1; known !== this.runs.length; ) {
      known = this.runs.length;
      await Promise.all(this.runs);
    }
    return Promise.all(this.runs);
  }

  /**
   * Builds a signed request for `fetch`. The signature covers the canonical JSON (RFC 8785) of the body, however the
   * body is serialised.
   */
  signed(method: string, body: object, headers: Record<string, string> = {}, at: number = Date.now()): RequestInit {
    const t = Math.floor(at / 1000);
    const signature = this.sign(canonicalize(body)!, t);
    return {
      method,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "x-inngest-signature": `t=${t}&s=${signature}`, ...headers },
    };
  }

  /** Runs a function for an event, as if the event had triggered it. */
  run(functionId: string, event: SentEvent): Promise<ServerRun> {
    const run = this.drive(this.functions.find((f) => f.id === functionId)!, event);
    this.runs.push(run);
    return run;
  }

  /** Builds the body of a call of a function. */
  callBody(event: SentEvent, steps: StepState = {}, more: object = {}): object {
    const stack = Object.keys(steps);
    const ctx = {
      run_id: randomUUID(),
      fn_id: randomUUID(),
      env: "test",
      attempt: 0,
      max_attempts: 1,
      disable_immediate_execution: false,
      use_api: false,
      qi_id: randomUUID(),
      stack: { stack, current: stack.length },
    };
    return { event, events: [event], steps, version: 2, ctx: { ...ctx, ...more } };
  }

  private sign(text: string, t: number): string {
    return createHmac("sha256", this.signingKey.replace(/^signkey-\w+-/, ""))
      .update(`${text}${t}`)
      .digest("hex");
  }

  private async drive(f: Configured, event: SentEvent): Promise<ServerRun> {
    const run_id = randomUUID();
    const max_attempts = (f.steps.step.retries?.attempts ?? 4) + 1;
    const steps: StepState = {};
    let parallel = false;
    const call = (stepId: string, attempt: number) =>
      this.call(
        f.id,
        stepId,
        this.callBody(event, steps, { run_id, attempt, max_attempts, disable_immediate_execution: parallel }),
      );
    for (let attempt = 0; ; ) {
      const { status, noRetry, body } = await call("step", attempt);
      if (status === 200) return { functionId: f.id, event, state: "succeeded", output: body };
      if (status !== 206) {
        if (!noRetry && ++attempt < max_attempts) continue;
        return this.failed(f, event, run_id, body as ServerRun["error"]);
      }
      const ops = body as Op[];
      parallel ||= ops.length > 1;
      const failed = ops.some((op) => op.op === "StepError");
      attempt = failed ? attempt + 1 : 0;
      for (const op of ops) {
        for (let again = 0; op.op === "StepPlanned" && !steps[op.id]; again++)
          keep(steps, ((await call(op.id, again)).body as Op[])[0]!);
        keep(steps, op);
      }
    }
  }

  private async failed(f: Configured, event: SentEvent, run_id: string, error: ServerRun["error"]): Promise<ServerRun> {
    const handler = this.functions.find((other) =>
      other.triggers.some((t) => t.expression === `event.data.function_id == '${f.id}'`),
    );
    if (handler)
      void this.run(handler.id, {
        id: randomUUID(),
        name: "inngest/function.failed",
        ts: Date.now(),
        data: { function_id: f.id, run_id, error, event },
      });
    return { functionId: f.id, event, state: "failed", output: null, error };
  }

  private async call(
    functionId: string,
    stepId: string,
    body: object,
  ): Promise<{ status: number; noRetry: boolean; body: unknown }> {
    const response = await fetch(`${this.appUrl}?fnId=${functionId}&stepId=${stepId}`, this.signed("POST", body));
    const text = await response.text();
    const { t, s } = Object.fromEntries(new URLSearchParams(response.headers.get("x-inngest-signature") ?? ""));
    if (s !== this.sign(text, Number(t))) throw new Error(`The answer is not signed: ${response.status} ${text}`);
    return {
      status: response.status,
      noRetry: response.headers.get("x-inngest-no-retry") === "true",
      body: JSON.parse(text),
    };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const [status, reply] = this.take(request.url!, body);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(reply));
  }

  private take(path: string, body: unknown): [number, object] {
    if (path === "/fn/register" && this.refuses) {
      this.refusals++;
      return [503, { error: "no store", status: 503 }];
    }
    if (path === "/fn/register") {
      this.registrations.push(body as InngestServer["registrations"][number]);
      return [200, { ok: true, modified: true }];
    }
    if (path !== `/e/${this.eventKey}`) return [401, { error: "unknown event key", status: 401 }];
    const sent = (body as SentEvent[]).map((event) => ({ ...event, id: event.id ?? randomUUID() }));
    this.events.push(...sent);
    for (const event of sent)
      for (const f of this.functions) if (f.triggers.some((t) => t.event === event.name)) void this.run(f.id, event);
    return [200, { ids: sent.map((event) => event.id), status: 200 }];
  }
}

function keep(steps: StepState, { id, op, data, error }: Op): void {
  if (op === "StepRun") steps[id] = { type: "data", data };
  if (op === "StepFailed") steps[id] = { type: "error", error };
  if (op === "Sleep") steps[id] ??= { type: "data", data: null };
}
