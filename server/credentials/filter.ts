import type { Ctx } from "@/server/core/context";
import { readCode } from "./code";
import { inState, issuedAt, type InState } from "./state-sql";
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

/**
 * The predicate of a filter on the alias c, with its values, and what must hold beside it where a state is asked for. What an index can serve is said only where it is asked; the rest
 * comes all together or not at all, so that there are few statements to prepare.
 */
export function conditions(ctx: Ctx, filter: CredentialFilter): { where: string; state: InState | undefined; values: unknown[] } {
  const values: unknown[] = [ctx.orgId];
  const where = ["c.org_id = $1"];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  let clock: string | undefined;
  const now = () => (clock ??= `${parameter(ctx.now)}::timestamptz`);
  if (filter.subjectId !== undefined) where.push(`c.subject_id = ${parameter(filter.subjectId)}`);
  if (filter.templateId !== undefined) where.push(`c.template_id = ${parameter(filter.templateId)}`);
  if (filter.code !== undefined) where.push(`c.code = ${parameter(readCode(filter.code) ?? "")}`);
  if (filter.q) {
    const pattern = parameter(`%${filter.q.replaceAll(/[\\%_]/g, "\\$&")}%`);
    where.push(`c.subject_id IN (SELECT id FROM subjects WHERE org_id = $1 AND search LIKE search_fold(${pattern}))`);
  }
  const { kind, issuedAfter, issuedBefore, expiresAfter, expiresBefore } = filter;
  if (kind ?? issuedAfter ?? issuedBefore ?? expiresAfter ?? expiresBefore) {
    const unless = (value: unknown, type: string, say: (p: string) => string) => {
      const p = `${parameter(value)}::${type}`;
      where.push(`(${p} IS NULL OR ${say(p)})`);
    };
    unless(kind, "text", (p) => `c.kind = ${p}`);
    unless(issuedAfter, "timestamptz", (p) => `${issuedAt(now())} > ${p}`);
    unless(issuedBefore, "timestamptz", (p) => `${issuedAt(now())} < ${p}`);
    unless(expiresAfter, "timestamptz", (p) => `c.expires_at > ${p}`);
    unless(expiresBefore, "timestamptz", (p) => `c.expires_at < ${p}`);
  }
  const state = filter.state && inState(filter.state, now);
  return { where: where.join(" AND "), state, values };
}
