import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import type { World } from "@/server/testing/world";
import type { previewSchema } from "../preview";
import type { z } from "zod";
import { runPolicyStep } from "../run/step";
import type { RunView } from "../run-view";
import type { PolicyView } from "../view";

interface Credential {
  id: string;
  state: string;
  subjectId: string;
  expiresAt: string;
  suspensionReason: string;
  source: object;
}

/** People of department Maths. */
export const inMaths = { field: "attributes.dept", op: "eq", value: "Maths" };

/** A policy in a separate organisation, and people who are written as a feed would write them. */
export class Office {
  private constructor(
    readonly world: World,
    readonly token: string,
    readonly templateId: string,
    readonly id: string,
  ) {}

  static async open(
    world: World,
    body: object = {},
    template: Parameters<typeof publishedTemplate>[1] = {},
  ): Promise<Office> {
    const token = await world.key();
    const { id: templateId } = await publishedTemplate(world.ctx, template);
    const id = await Office.policy(token, { templateId, ...("groupId" in body ? {} : { rule: inMaths }), ...body });
    return new Office(world, token, templateId, id);
  }

  static async policy(token: string, body: object): Promise<string> {
    const answer = await call("POST", "/v1/policies", { token, body: { name: "Members", ...body } });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json<PolicyView>().id;
  }

  /** Another policy on the same template. */
  async beside(body: object): Promise<Office> {
    return new Office(
      this.world,
      this.token,
      this.templateId,
      await Office.policy(this.token, { templateId: this.templateId, ...body }),
    );
  }

  /** Writes the people p-1, p-2, … with this department; null is none. */
  async people(numbers: number[], dept: string | null = "Maths"): Promise<void> {
    for (let at = 0; at < numbers.length; at += 1000)
      await bulkUpsertSubjects(this.world.ctx, {
        items: numbers.slice(at, at + 1000).map((n) => ({
          externalId: `p-${n}`,
          displayName: `Person ${n}`,
          attributes: { dept },
        })),
      });
  }

  post = (path: string, body: object = {}, token = this.token) =>
    call("POST", `/v1/policies/${this.id}${path}`, { token, body });
  get = (path = "") => call("GET", `/v1/policies/${this.id}${path}`, { token: this.token });
  policy = async () => (await this.get()).json<PolicyView>();

  async preview(body: object = {}) {
    const answer = await this.post("/preview", body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json<z.output<typeof previewSchema>>();
  }

  /** Applies the policy and completes its run. */
  async apply(body: object = {}): Promise<RunView> {
    const answer = await this.post("/apply", body);
    if (answer.status > 202) throw new Error(answer.text);
    const run = answer.json<RunView>();
    if (answer.status === 200) return run;
    await this.work();
    return this.run(run.id);
  }

  async work(now: () => Date = () => new Date()): Promise<void> {
    while (await runPolicyStep(now()));
  }

  run = async (id: string) => (await this.get(`/runs/${id}`)).json<RunView>();

  /** Counts the credentials of the template in each state. */
  async states(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const each of await this.credentials()) counts[each.state] = (counts[each.state] ?? 0) + 1;
    return counts;
  }

  async credentials(): Promise<Credential[]> {
    const all: Credential[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path = `/v1/credentials?limit=100&templateId=${this.templateId}${cursor && `&cursor=${cursor}`}`;
      const answer = await call("GET", path, { token: this.token });
      const page = answer.json<{ data: Credential[]; nextCursor: string | null }>();
      all.push(...page.data);
      cursor = page.nextCursor;
    }
    return all;
  }

  subject = async (n: number) =>
    (await call("GET", `/v1/subjects?externalId=p-${n}`, { token: this.token })).json<{ data: { id: string }[] }>()
      .data[0]!.id;
}

export const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
