import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { timestamp } from "@/server/core/input";
import {
  changedWithin,
  changeTimes,
  isAmong,
  severalIds,
  severalOf,
  type TimeBounds,
} from "@/server/core/list-filters";
import type { Order, SortFields } from "@/server/core/sorting";
import { like, wordsOf } from "@/server/core/words";
import { externalIds, isExternalId } from "@/server/subjects/external-id";
import { templateKinds } from "@/server/templates/view";
import { readCode } from "./code";
import { inState, issuedAt } from "./state-sql";
import { credentialStates } from "./states";

/** The fields by which credentials can be sorted. Each has an index; `c` is the alias of the credential. */
export const credentialSorts = {
  createdAt: null,
  updatedAt: { key: "c.updated_at", type: "timestamptz" },
  issuedAt: { key: "coalesce(c.issued_at, c.valid_from)", type: "timestamptz" },
  expiresAt: { key: "coalesce(c.expires_at, 'infinity')", type: "timestamptz" },
} as const satisfies SortFields;

/** The filters of a list of credentials. */
export const credentialFilters = {
  subjectId: severalIds("sub").optional(),
  externalId: externalIds.optional(),
  templateId: severalIds("tpl").optional(),
  state: severalOf(credentialStates).optional(),
  kind: severalOf(templateKinds).optional(),
  code: z
    .string()
    .max(1000)
    .refine(
      (text) => text.split(",").every((code) => code.trim() !== ""),
      "must not be empty, or hold an empty value between commas; leave it out to ask for all",
    )
    .optional()
    .meta({ description: "A public code, in any spelling; several separated by commas." }),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: "Words, in any order, each part of the subject's name, e-mail or external id." }),
  issuedAfter: timestamp.optional(),
  issuedBefore: timestamp.optional(),
  expiresAfter: timestamp.optional(),
  expiresBefore: timestamp.optional(),
  ...changeTimes,
};

export type CredentialFilter = {
  [F in keyof typeof credentialFilters]?: z.output<(typeof credentialFilters)[F]>;
} & TimeBounds;

/**
 * Whether the best plan depends on the filters' values. A statement with such a filter is planned for each execution.
 */
export const isPlannedAnew = ({
  q,
  externalId,
  createdAfter,
  createdBefore,
  updatedAfter,
  updatedBefore,
  ...filter
}: CredentialFilter) =>
  Boolean(
    q ||
      externalId ||
      createdAfter ||
      createdBefore ||
      updatedAfter ||
      updatedBefore ||
      [filter.subjectId, filter.templateId].some((values) => values && values.length > 1),
  );

/**
 * Builds the predicate of a filter on the alias `c`, with its values. If the filter asks for states, `written` and
 * `due` hold further predicates, each served by its own index: a row must also match one of them. A filter that an
 * index can serve is in the text only if it is asked for. The remaining filters are in the text all together or not at
 * all, so that there are few different statements to prepare.
 */
export function conditions(ctx: Ctx, filter: CredentialFilter, page?: { order: Order; after: string | null }) {
  const values: unknown[] = [ctx.orgId];
  const where = ["c.org_id = $1"];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  let clock: string | undefined;
  const now = () => (clock ??= `${parameter(ctx.now)}::timestamptz`);
  if (filter.subjectId) where.push(isAmong("c.subject_id", "uuid", filter.subjectId, parameter));
  if (filter.externalId)
    where.push(
      `c.subject_id IN (SELECT id FROM subjects WHERE org_id = $1 AND ${isExternalId("subjects", filter.externalId, parameter)})`,
    );
  if (filter.templateId) where.push(isAmong("c.template_id", "uuid", filter.templateId, parameter));
  if (filter.code !== undefined)
    where.push(
      isAmong(
        "c.code",
        "text",
        filter.code.split(",").map((code) => readCode(code) ?? ""),
        parameter,
      ),
    );
  const words = wordsOf(filter.q ?? "");
  if (words.length > 0) {
    const each = words.map((word) => `search LIKE search_fold(${parameter(like(word))})`);
    where.push(`c.subject_id IN (SELECT id FROM subjects WHERE org_id = $1 AND ${each.join(" AND ")})`);
  }
  where.push(...changedWithin("c.", filter, parameter));
  const { kind, issuedAfter, issuedBefore, expiresAfter, expiresBefore } = filter;
  if (kind ?? issuedAfter ?? issuedBefore ?? expiresAfter ?? expiresBefore) {
    const unless = (value: unknown, type: string, say: (p: string) => string) => {
      const p = `${parameter(value)}::${type}`;
      where.push(`(${p} IS NULL OR ${say(p)})`);
    };
    unless(kind, "text[]", (p) => `c.kind = ANY(${p})`);
    unless(issuedAfter, "timestamptz", (p) => `${issuedAt(now())} > ${p}`);
    unless(issuedBefore, "timestamptz", (p) => `${issuedAt(now())} < ${p}`);
    unless(expiresAfter, "timestamptz", (p) => `c.expires_at > ${p}`);
    unless(expiresBefore, "timestamptz", (p) => `c.expires_at < ${p}`);
  }
  const states = (filter.state ?? []).map((state) => inState(state, now));
  if (page && page.after !== null) where.push(page.order.beyond(page.after, parameter));
  return {
    where: where.join(" AND "),
    written: states.map((state) => state.written),
    due: states.flatMap((state) => state.due ?? []),
    parameter,
    values,
  };
}
