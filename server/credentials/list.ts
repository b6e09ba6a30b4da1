import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id, timestamp } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { templateKinds } from "@/server/templates/view";
import { conditions, type CredentialFilter } from "./filter";
import { credentialStates } from "./states";
import { credentialColumns, credentialView, joinSubject, type CredentialRow } from "./view";

/** Lists credentials, newest first. `state` is the state now, not the one last written. */
export const listCredentials = query({
  name: "credentials.list",
  scope: "credentials:read",
  input: z.strictObject({
    subjectId: id.optional(),
    templateId: id.optional(),
    state: z.enum(credentialStates).optional(),
    kind: z.enum(templateKinds).optional(),
    code: z.string().max(64).optional().meta({ description: "A public code, in any spelling." }),
    q: z.string().trim().max(200).optional().meta({ description: "Part of the subject's name, e-mail or external id." }),
    issuedAfter: timestamp.optional(),
    issuedBefore: timestamp.optional(),
    expiresAfter: timestamp.optional(),
    expiresBefore: timestamp.optional(),
    ...page,
  }),
  async run(ctx, input) {
    const { limit: _, cursor: __, offset: ___, ...filter } = input;
    const found = await paginate(input, {
      binding: [ctx.orgId, "credentials", filter],
      fetch: (range) => fetchCredentials(ctx, filter, range),
      count: () => countCredentials(ctx, filter),
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map((row) => credentialView(row, ctx.now)) };
  },
});

function fetchCredentials(ctx: Ctx, filter: CredentialFilter, { after, take, skip }: { after: string | null; take: number; skip: number }) {
  const { where, state, values } = conditions(ctx, filter);
  const from = after === null ? "" : `AND c.id < $${values.push(after)}`;
  const select = (predicate: string, rest: string) => `(SELECT * FROM credentials c WHERE ${where} AND ${predicate} ${from} ${rest})`;
  const rows = [select(state?.written ?? "TRUE", `ORDER BY c.id DESC LIMIT $${values.push(take + skip)}`)];
  // OFFSET 0 keeps PostgreSQL from looking for these few in the order of ids, through all there are.
  if (state?.due) rows.push(select(state.due, "OFFSET 0"));
  return reading(ctx).sql<CredentialRow>(
    `SELECT ${credentialColumns}
     FROM (SELECT * FROM (${rows.join(" UNION ALL ")}) AS found ORDER BY id DESC LIMIT $${values.push(take)} OFFSET $${values.push(skip)}) AS c
     ${joinSubject} ORDER BY c.id DESC`,
    values,
    !filter.q,
  );
}

async function countCredentials(ctx: Ctx, filter: CredentialFilter): Promise<number> {
  const { where, state, values } = conditions(ctx, filter);
  const either = [state?.written ?? "TRUE", ...(state?.due ? [state.due] : [])].map((predicate) => `(${predicate})`).join(" OR ");
  const [row] = await reading(ctx).sql<{ n: number }>(`SELECT count(*) AS n FROM credentials c WHERE ${where} AND (${either})`, values, !filter.q);
  return row!.n;
}
