import type { Actor } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { localeIn, type Language } from "@/server/core/languages";
import { readCode } from "@/server/credentials/code";
import type { ShareChannel } from "@/server/events/facts";
import { checksByCode } from "./checks";
import { concluded, decide } from "./decide";
import { ownDids, regionOf, type CredentialEvidence } from "./evidence";
import { findByCode } from "./find-by-code";
import { observe } from "./observe";
import { listingsOf } from "./registries";
import { withRegistries } from "./registry-check";
import type { VerificationEvent } from "./verification-event-buffer";
import { verificationView, type OwnVerification, type Verification } from "./view";

/** Who verifies, when and through what: the facts that the event of a verification records. */
export interface VerificationContext {
  via: "public" | "api" | "page";
  viewer: string;
  now: Date;
  /** False if a page is prefetched or refreshes itself, which is no visit. */
  isVisit?: boolean;
  /** The language for dates and the labels of fields. Without it, the issuer's own. */
  language?: Language | undefined;
  /** The organisation and actor of the caller's token. An event names the actor only to this organisation. */
  caller?: { orgId: Id<"org">; actor: Actor };
}

const anyone: Actor = { type: "public", id: "anonymous" };

/**
 * Decides whether a credential is valid at this moment, from the database alone. Emits credential.verified or
 * credential.verify_refused, coalesced, in the background (contract section 8).
 * @throws DomainError not_found for a code that does not exist, or cannot be one.
 */
export async function verifyCode(typed: string, context: VerificationContext): Promise<OwnVerification> {
  const { evidence, verification } = await examine(typed, context.now, context.language);
  noteVerification(evidence, verification, context);
  return verification;
}

/** Records the verification of a credential of this service, by its code or its document. */
export function noteVerification(
  evidence: CredentialEvidence,
  verification: Verification,
  context: VerificationContext,
): void {
  note(
    evidence,
    verification,
    context,
    verification.result === "valid" ? "credential.verified" : "credential.verify_refused",
  );
}

/** Verifies a credential for its public page. Emits credential.viewed for a visit. @throws DomainError not_found */
export async function viewCode(typed: string, context: VerificationContext): Promise<Examined> {
  const examined = await examine(typed, context.now, context.language);
  if (context.isVisit !== false) note(examined.evidence, examined.verification, context, "credential.viewed");
  return examined;
}

export interface Examined {
  evidence: CredentialEvidence;
  verification: OwnVerification;
}

/**
 * Verifies a credential without emitting an event.
 *
 * @throws DomainError not_found
 */
export async function examine(typed: string, now: Date, language?: Language): Promise<Examined> {
  // A text that cannot be a code is looked up as well, so that every miss takes the same time.
  const found = await findByCode(readCode(typed) ?? "", now);
  if (!found) throw new DomainError("not_found", "There is no credential with this code.");
  const evidence = language ? { ...found, locale: localeIn(language, found.locale) } : found;
  const listings = await listingsOf(ownDids(evidence), now);
  const { issuer_name } = evidence;
  const checks = withRegistries(decide(checksByCode, evidence, now).checks, listings, issuer_name, regionOf(evidence));
  return { evidence, verification: verificationView(evidence, concluded(checks), listings, now) };
}

/** Records a verification, visit or share for the event log. */
export function note(
  evidence: CredentialEvidence,
  verification: Verification,
  { via, viewer, caller }: VerificationContext,
  type: VerificationEvent["type"],
  channel?: ShareChannel,
): void {
  const { result, state, reason, credential } = verification;
  observe({
    orgId: evidence.org_id,
    actor: caller?.orgId === evidence.org_id ? caller.actor : anyone,
    viewer,
    type,
    facts: { credentialId: publicId("crd", evidence.id), code: credential.code, result, state, reason, via },
    ...(channel && { channel }),
  });
}
