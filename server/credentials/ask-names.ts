import type { TxCtx } from "@/server/core/context";
import { DomainError, refusalOf } from "@/server/core/errors";
import { newId, publicId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { requireReplaceable } from "./carry-suspension";
import {
  confirmationFactsOf,
  loadConfirmations,
  lockWaiting,
  type ConfirmationRow,
  type ConfirmationTerms,
} from "./confirmation";
import type { Draft } from "./draft";
import type { IssueInput } from "./input";
import { alreadyHeld, findHeld, type NewCredential } from "./insert-credentials";
import { linkMs, newToken } from "./misdirected";
import type { CredentialRow } from "./view";

/**
 * What to issue once the holder has confirmed the name. `draft` is checked now, and built again at the confirmation.
 */
export interface NewAsk extends NewCredential {
  input: IssueInput;
}

/** `created` is false if the holder was asked already. */
export interface Asked {
  confirmation: ConfirmationRow;
  created: boolean;
}

/**
 * A new request conflicts with a waiting one only until that one is decided. More failures in a row are no coincidence.
 */
const maxTries = 10;

/**
 * Creates requests in which holders confirm their names (docs/decisions/513). For each person and template, one
 * exclusive request waits at a time. If the person holds a live credential or has a waiting request, `ifExists`
 * decides: `replace` gives the waiting request the new terms and a new link. Emits name_confirmation.requested, after
 * which the holder gets the link.
 *
 * @returns one outcome for each, in order: a request, the existing credential, or an error: credential_exists,
 * name_unconfirmed, or the reason why a suspended credential is not replaced
 */
export async function askNames(
  ctx: TxCtx,
  wanted: NewAsk[],
): Promise<(Asked | { row: CredentialRow; created: false } | { error: DomainError })[]> {
  if (wanted.length === 0) return [];
  type Outcome = Awaited<ReturnType<typeof askNames>>[number];
  const results = new Map<NewAsk, Outcome>();
  for (const { each, held } of await findHeld(
    ctx,
    wanted.filter(({ draft }) => draft.exclusive),
  )) {
    if (each.ifExists === "return") results.set(each, { row: held, created: false });
    else if (each.ifExists === "fail") results.set(each, { error: alreadyHeld(held) });
    else {
      const error = refusalOf(() => requireReplaceable(ctx, held, each.draft));
      if (error) results.set(each, { error });
    }
  }
  const ids = new Map<NewAsk, { id: Id<"ncf">; created: boolean }>();
  let open = wanted.filter((each) => !results.has(each));
  for (let tries = 0; open.length > 0 && tries < maxTries; tries++) {
    const made = await insert(ctx, open);
    for (const [each, id] of made) ids.set(each, { id, created: true });
    open = open.filter((each) => !ids.has(each));
    const replaced: { each: NewAsk; id: Id<"ncf"> }[] = [];
    for (const { each, id } of await findWaiting(ctx, open)) {
      if (each.ifExists === "fail") results.set(each, { error: alreadyAsked(id) });
      else {
        ids.set(each, { id, created: each.ifExists === "replace" });
        if (each.ifExists === "replace") replaced.push({ each, id });
      }
    }
    await replaceTerms(ctx, replaced);
    open = open.filter((each) => !ids.has(each) && !results.has(each));
  }
  const rows = await loadConfirmations(
    ctx,
    [...ids.values()].map(({ id }) => id),
  );
  for (const [each, { id, created }] of ids) results.set(each, { confirmation: rows.get(id)!, created });
  await appendAll(
    ctx,
    [...ids.values()]
      .filter(({ created }) => created)
      .map(({ id }) => ({
        type: "name_confirmation.requested" as const,
        resourceId: id,
        object: confirmationFactsOf(rows.get(id)!),
      })),
  );
  for (const each of open)
    results.set(each, {
      error: new DomainError("conflict", "Another request asks this person at the same moment. Try again."),
    });
  return wanted.map((each) => results.get(each)!);
}

function alreadyAsked(id: Id<"ncf">): DomainError {
  const nameConfirmationId = publicId("ncf", id);
  return new DomainError(
    "name_unconfirmed",
    `The person was asked to confirm the name for this credential, in ${nameConfirmationId}. Send ifExists to have that request returned or replaced.`,
    { members: { nameConfirmationId } },
  );
}

/** Returns the terms of an issue in the API's format, so that they can be parsed again at the confirmation. */
function termsOf({ subject: _, templateId: __, achievementId, ...rest }: IssueInput): ConfirmationTerms {
  return { ...(achievementId && { achievementId: publicId("ach", achievementId) }), ...rest };
}

const rowOf = ({ draft: { context, exclusive, source }, input }: NewAsk) => ({
  subject_id: context.subject.id,
  template_id: context.templateId,
  exclusive,
  token: newToken(),
  terms: termsOf(input),
  source_type: source.type,
  source_id: source.id,
});

const linkExpiry = ({ now }: TxCtx) => new Date(now.getTime() + linkMs);

/** @returns the ids of the requests that were stored */
async function insert(ctx: TxCtx, asks: NewAsk[]): Promise<Map<NewAsk, Id<"ncf">>> {
  const sent = asks.map((each) => ({ id: newId("ncf"), ...rowOf(each) }));
  const rows = await ctx.tx.sql<{ id: Id<"ncf"> }>(insertStatement, [
    ctx.orgId,
    JSON.stringify(sent),
    ctx.now,
    linkExpiry(ctx),
  ]);
  ctx.tx.wrote("name_confirmations", rows.length);
  const stored = new Set(rows.map(({ id }) => id));
  return new Map(asks.flatMap((each, i) => (stored.has(sent[i]!.id) ? [[each, sent[i]!.id] as const] : [])));
}

// In a fixed order, so that two sets with the same people cannot deadlock.
const insertStatement = `
INSERT INTO name_confirmations (org_id, id, subject_id, template_id, exclusive, token, link_expires_at, terms, source_type, source_id, created_at, updated_at)
SELECT $1, id, subject_id, template_id, exclusive, token, $4, terms, source_type, source_id, $3, $3
FROM json_to_recordset($2::json) AS asked (id uuid, subject_id uuid, template_id uuid, exclusive boolean, token text, terms jsonb, source_type text, source_id text)
ORDER BY subject_id, template_id
ON CONFLICT (org_id, subject_id, template_id) WHERE exclusive AND state = 'waiting' DO NOTHING
RETURNING id`;

/** Finds and locks the waiting requests that conflict with new ones. Leaves out those that were decided in the meantime. */
export async function findWaiting<Wanted extends { draft: Draft }>(
  ctx: TxCtx,
  asks: Wanted[],
): Promise<{ each: Wanted; id: Id<"ncf"> }[]> {
  if (asks.length === 0) return [];
  const rows = await ctx.tx.sql<{ n: number; id: Id<"ncf"> }>(
    `SELECT given.n::int, waiting.id FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS given (subject_id, template_id, n)
     CROSS JOIN LATERAL (
       SELECT id FROM name_confirmations WHERE org_id = $1 AND subject_id = given.subject_id AND template_id = given.template_id AND exclusive AND state = 'waiting' OFFSET 0
     ) waiting`,
    [ctx.orgId, asks.map(({ draft }) => draft.context.subject.id), asks.map(({ draft }) => draft.context.templateId)],
  );
  const locked = new Set(
    await lockWaiting(
      ctx,
      rows.map(({ id }) => id),
    ),
  );
  return rows.filter(({ id }) => locked.has(id)).map(({ n, id }) => ({ each: asks[n - 1]!, id }));
}

async function replaceTerms(ctx: TxCtx, replaced: { each: NewAsk; id: Id<"ncf"> }[]): Promise<void> {
  if (replaced.length === 0) return;
  await ctx.tx.sql(
    `UPDATE name_confirmations n SET token = asked.token, terms = asked.terms, source_type = asked.source_type, source_id = asked.source_id, link_expires_at = $4, updated_at = $3
     FROM json_to_recordset($2::json) AS asked (id uuid, token text, terms jsonb, source_type text, source_id text)
     WHERE n.org_id = $1 AND n.id = asked.id`,
    [ctx.orgId, JSON.stringify(replaced.map(({ each, id }) => ({ ...rowOf(each), id }))), ctx.now, linkExpiry(ctx)],
  );
}
