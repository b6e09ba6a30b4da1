import type { Ctx } from "@/server/core/context";
import { dayOf, startOfDay } from "@/server/core/dates";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { expiryOf } from "@/server/templates/validity";
import { newCode } from "./code";
import type { IssueInput } from "./input";
import type { IssueContext } from "./issue-context";
import { snapshot } from "./snapshot";
import type { CredentialRow } from "./view";

/** The person, key or policy that had a credential issued. */
export type Source = { type: CredentialRow["source_type"]; id: string | null };

/** The source of an issue without a named source. */
export function sourceOf({ actor }: Ctx): Source {
  return { type: actor.type === "user" || actor.type === "operator" ? "console" : "api", id: actor.id };
}

/**
 * The source of a credential that replaces another one. A policy's credential stays the policy's, so that the new card
 * ends as the old one would have (docs/decisions/425). A policy that replaces a credential owns the new one.
 */
export const sourceOfReplacement = (before: CredentialRow, by: Source): Source =>
  before.source_type === "policy" && by.type !== "policy" ? { type: "policy", id: before.source_id } : by;

/** A credential that is ready to be inserted. */
export type Draft = Pick<
  CredentialRow,
  | "id"
  | "code"
  | "state"
  | "data"
  | "valid_from"
  | "issued_at"
  | "expires_at"
  | "expiry_explicit"
  | "supersedes"
  | "metadata"
> & {
  context: IssueContext;
  source: Source;
  /**
   * Whether the subject may hold only one live credential of the template that is exclusive. Of a repeatable template,
   * only a policy's credentials are (docs/decisions/407).
   */
  exclusive: boolean;
};

/** Whether a subject holds at most one live credential of the template from this source (docs/decisions/407). */
export const isExclusive = ({ repeatable }: Pick<IssueContext, "repeatable">, source: Source): boolean =>
  !repeatable || source.type === "policy";

/**
 * Builds the draft of a credential, with its validity.
 * @throws DomainError invalid_request if the expiry is in the past or before the start; validity_unresolved if the
 *   template's validity gives no expiry; expiry_out_of_range if it gives one that is past or beyond the year 9998.
 */
export function draft(
  ctx: Ctx,
  context: IssueContext,
  input: Pick<IssueInput, "validFrom" | "expiresAt" | "data" | "metadata">,
  source: Source,
): Draft {
  const validFrom = input.validFrom ?? ctx.now;
  const pending = validFrom > ctx.now;
  return {
    id: newId("crd"),
    code: newCode(),
    state: pending ? "pending" : "active",
    data: { ...awardDay(context, input), ...snapshot(context) },
    valid_from: validFrom,
    issued_at: pending ? null : ctx.now,
    expires_at:
      input.expiresAt === undefined
        ? resolved(ctx, context, validFrom, input.data ?? {})
        : ahead(ctx, input.expiresAt, validFrom),
    expiry_explicit: input.expiresAt !== undefined,
    supersedes: null,
    metadata: input.metadata ?? {},
    exclusive: isExclusive(context, source),
    context,
    source,
  };
}

/**
 * Returns the data with the day of an academic award if the credential begins with a day: the caller sends the first
 * instant of a chosen day, which falls within the day before in other time zones (decision 535). A day in the request
 * is kept.
 */
function awardDay(
  { kind, timeZone }: IssueContext,
  { validFrom, data = {} }: Pick<IssueInput, "validFrom" | "data">,
): Record<string, unknown> {
  if (kind !== "academic" || !validFrom || (data["awardedDate"] ?? null) !== null) return data;
  const day = dayOf(validFrom, timeZone);
  return startOfDay(day, timeZone).getTime() === validFrom.getTime() ? { ...data, awardedDate: day } : data;
}

/** Returns an expiry that is after now and after the start. @throws DomainError invalid_request for any other. */
export function ahead(ctx: Ctx, expiresAt: Date | null, validFrom: Date): Date | null {
  if (expiresAt === null || (expiresAt > ctx.now && expiresAt > validFrom)) return expiresAt;
  throw invalidInput([{ pointer: "/expiresAt", code: "past", message: "must be in the future, and after validFrom" }]);
}

function resolved(
  ctx: Ctx,
  { validity, subject, timeZone }: IssueContext,
  validFrom: Date,
  data: Record<string, unknown>,
): Date | null {
  const expiresAt = expiryOf(validity, validFrom, subject.attributes, timeZone, data);
  if (expiresAt === null) return null;
  if (expiresAt === undefined) {
    const name = validity.type === "attribute" ? validity.attribute : "";
    throw new DomainError(
      "validity_unresolved",
      `The template takes the expiry from the subject's attribute ${JSON.stringify(name)}, which holds no date. Set it, or send expiresAt.`,
      { members: { attribute: name } },
    );
  }
  if (expiresAt > ctx.now && expiresAt > validFrom && expiresAt.getUTCFullYear() < 9999) return expiresAt;
  throw new DomainError(
    "expiry_out_of_range",
    "By the template's validity the credential would have expired already, or would outlast the year 9998. Change the validity or the attribute, or send expiresAt.",
    { members: { expiresAt: expiresAt.toISOString() } },
  );
}
