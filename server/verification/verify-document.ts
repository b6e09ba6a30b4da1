import { localeIn } from "@/server/core/languages";
import type { Client } from "@/server/core/workers/worker-pool";
import { WorkerEnded } from "@/server/core/workers/worker-ended";
import type { JsonObject } from "@/server/standards/json";
import type { StandardCheck } from "@/server/standards/verify/check";
import { validityOf } from "@/server/standards/verify/check-validity";
import { idOf } from "@/server/standards/vcdm/validate-credential";
import type { CredentialVerification, Examined } from "@/server/standards/verify/verify-credential";
import { isAltered, withRecord } from "./altered-document";
import { concluded } from "./decide";
import { correctedSince } from "./corrected-since";
import { runWithDocuments } from "./foreign-pool";
import { ownDids } from "./evidence";
import { foreignView } from "./foreign-view";
import { claimsToBeOurs, findOwnCredential, namesOurPage } from "./own-credential";
import { ownDocumentView, unrecordedView } from "./own-document-view";
import { listingsOf } from "./registries";
import { noteVerification, type VerificationContext } from "./verify-code";
import { refusedAllTheSame } from "./refused-all-the-same";
import type { Verification } from "./view";

/** The caller and the time of a verification. */
export interface Asked extends Client {
  context: VerificationContext;
}

/**
 * Decides whether a credential of any issuer, as JSON or JWT, is valid at this moment. It waits for the issuer's
 * servers, up to 5 seconds for each document. Untrusted input is processed in a worker process (decision 305).
 *
 * The document of a credential that this service issued is also verified by its code, and emits what a verification by
 * code emits (decision 440). Of other documents nothing is stored, since they belong to no organisation here.
 * @throws DomainError rate_limited or unavailable if too many verifications are waiting
 */
export async function verifyDocument(credential: string | JsonObject, asked: Asked): Promise<Verification> {
  const { context } = asked;
  const verification = await withoutForgery(await verify(credential, asked), context.now);
  const { document, checks } = verification;
  const isSigned = checks.some(({ name, outcome }) => name === "signature" && outcome === "pass");
  const own = isSigned && document ? await findOwnCredential(document, context.now) : undefined;
  const issuer = idOf(document?.["issuer"]);
  // Registries are not asked about an issuer that is not known to have signed: their answer would make a forgery look
  // genuine.
  const dids = own?.credential ? ownDids(own.credential) : isSigned && issuer !== undefined ? [issuer] : [];
  const listings = dids.length === 0 ? [] : await listingsOf(dids, context.now);
  if (!own) {
    const told =
      isSigned && document && (await namesOurPage(document))
        ? withSignature(verification, refusedAllTheSame.borrowed)
        : verification;
    return foreignView(told, concluded(told.checks), listings, context.now, context.language);
  }
  if (!own.credential) return unrecordedView(verification, own.issuer, listings, context.now);
  if (await isAltered(own.credential, document!)) {
    const told = withSignature(verification, refusedAllTheSame.altered);
    return foreignView(told, concluded(told.checks), listings, context.now, context.language);
  }
  const known = withRecord(verification, await correctedSince(own.credential, document!));
  const view = ownDocumentView(known.verification, own.credential, known.corrected, listings, context.now);
  noteVerification(own.credential, view, context);
  return view;
}

/**
 * Makes a signature that cannot be checked a wrong one if the document claims to be of this service. The keys of its
 * issuer were found, and this service knows every vocabulary and kind of signature that it signs with, so somebody
 * altered the document (decision 496).
 */
async function withoutForgery(verification: CredentialVerification, now: Date): Promise<CredentialVerification> {
  const { checks, document } = verification;
  const unknown = checks.find(({ name, outcome }) => name === "signature" && outcome === "error");
  if (!unknown || !document || !(await claimsToBeOurs(document, now))) return verification;
  const altered: StandardCheck = {
    name: "signature",
    outcome: "fail",
    reason: "signature_invalid",
    detail: `It was altered: this service never signs what it holds. ${unknown.detail}`,
  };
  return { ...verification, checks: checks.map((check) => (check === unknown ? altered : check)) };
}

/** Refuses a document although its signature is valid. */
function withSignature(verification: CredentialVerification, detail: string): CredentialVerification {
  const forged: StandardCheck = { name: "signature", outcome: "fail", reason: "signature_invalid", detail };
  return {
    ...verification,
    checks: verification.checks.map((check) => (check.name === "signature" ? forged : check)),
  };
}

async function verify(credential: string | JsonObject, asked: Asked): Promise<CredentialVerification> {
  const { now, language } = asked.context;
  const locale = language && localeIn(language, "en-GB");
  const nothing: CredentialVerification = { checks: [], validity: validityOf({}) };
  const examined = await orEnded<Examined>(
    runWithDocuments(asked, "examine", { credential, now, locale }),
    (detail) => ({
      ...nothing,
      isSigned: false,
      checks: [{ name: "format", outcome: "error", detail }],
    }),
  );
  const { document, isSigned } = examined;
  if (!isSigned || !document) return examined;
  const statuses = await orEnded<StandardCheck[]>(
    runWithDocuments(asked, "statuses", { document, now, locale }),
    (detail) => [{ name: "status", outcome: "error", detail, reason: "status_unavailable" }],
  );
  return { ...examined, checks: [...examined.checks, ...statuses] };
}

/** Replaces the result of a job whose worker was ended (too much memory or time): it is undecided, never a pass. */
export async function orEnded<T>(work: Promise<T>, otherwise: (detail: string) => T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    return otherwise(
      error.because === "time"
        ? "Checking it took longer than is allowed, so it was stopped. Nothing is known about it."
        : "Checking it took more memory than is allowed, or failed in another way, so it was stopped. Nothing is known about it.",
    );
  }
}
