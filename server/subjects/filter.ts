import type { Ctx } from "@/server/core/context";

/** What a list of subjects can be narrowed to by columns. */
export interface SubjectFilter {
  status?: string | undefined;
  externalId?: string | undefined;
}

/** The predicate of a filter, from `after` on where that is given; `parameter` adds a value and gives its name in the text. */
export function conditions(ctx: Ctx, { status, externalId }: SubjectFilter, after: string | null = null) {
  const values: unknown[] = [ctx.orgId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = ["org_id = $1"];
  if (status !== undefined) where.push(`status = ${parameter(status)}`);
  if (externalId !== undefined) where.push(`external_id = ${parameter(externalId)}`);
  if (after !== null) where.push(`id < ${parameter(after)}`);
  return { where: where.join(" AND "), parameter, values };
}
