import type { Ctx } from "@/server/core/context";
import { readCode } from "./code";
import { isInState, issuedAt } from "./state-sql";
import type { CredentialState } from "./states";

/** What a list of credentials can be narrowed to. */
export interface CredentialFilter {
  subjectId?: string | undefined;
  templateId?: string | undefined;
  state?: CredentialState | undefined;
  kind?: string | undefined;
  code?: string | undefined;
  q?: string | undefined;
  issuedAfter?: Date | undefined;
  issuedBefore?: Date | undefined;
  expiresAfter?: Date | undefined;
  expiresBefore?: Date | undefined;
}

/** The predicate of a filter on the alias c, and its values. */
export function conditions(ctx: Ctx, filter: CredentialFilter): { where: string; values: unknown[] } {
  const timed = filter.state !== undefined || filter.issuedAfter !== undefined || filter.issuedBefore !== undefined;
  const values: unknown[] = timed ? [ctx.orgId, ctx.now] : [ctx.orgId];
  const where = ["c.org_id = $1"];
  if (filter.state) where.push(isInState(filter.state, "$2"));
  const given = <T>(value: T | undefined, say: (parameter: string) => string, as: (value: T) => unknown = (same) => same) => {
    if (value !== undefined) where.push(say(`$${values.push(as(value))}`));
  };
  given(filter.subjectId, (p) => `c.subject_id = ${p}`);
  given(filter.templateId, (p) => `c.template_id = ${p}`);
  given(filter.kind, (p) => `c.kind = ${p}`);
  given(filter.code, (p) => `c.code = ${p}`, (typed) => readCode(typed) ?? "");
  given(filter.issuedAfter, (p) => `${issuedAt("$2")} > ${p}`);
  given(filter.issuedBefore, (p) => `${issuedAt("$2")} < ${p}`);
  given(filter.expiresAfter, (p) => `c.expires_at > ${p}`);
  given(filter.expiresBefore, (p) => `c.expires_at < ${p}`);
  given(filter.q || undefined, (p) => `c.subject_id IN (SELECT id FROM subjects WHERE org_id = $1 AND subject_search(display_name, email, external_id) LIKE search_fold(${p}))`,
    (q) => `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`);
  return { where: where.join(" AND "), values };
}
