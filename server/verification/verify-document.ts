import type { Caller } from "@/server/core/turns";
import { WorkerEnded } from "@/server/core/workers/worker-ended";
import type { JsonObject } from "@/server/standards/json";
import type { StandardCheck } from "@/server/standards/verify/check";
import { validityOf } from "@/server/standards/verify/check-validity";
import type { CredentialVerification, Examined } from "@/server/standards/verify/verify-credential";
import { concluded } from "./decide";
import { runWithDocuments } from "./foreign-pool";
import { foreignView } from "./foreign-view";
import type { Verification } from "./view";

/** Who asks, and when. */
export interface Asked {
  /** The organisation or address that asks: each has its share of the work. */
  caller: Caller;
  now: Date;
}

/**
 * Decides whether a credential of any issuer is valid at this moment: JSON, or a JWT. Nothing of it is stored, and no
 * event tells of it, since it belongs to no organisation here. It may take as long as the issuer's servers do, 5
 * seconds for each document. What a stranger wrote is worked on in a process of its own (decision 305).
 * @throws DomainError rate_limited, unavailable where too many are being verified.
 */
export async function verifyDocument(credential: string | JsonObject, { caller, now }: Asked): Promise<Verification> {
  const verification = await verify(credential, { caller, now });
  return foreignView(verification, concluded(verification.checks), now);
}

async function verify(credential: string | JsonObject, { caller, now }: Asked): Promise<CredentialVerification> {
  const nothing: CredentialVerification = { checks: [], validity: validityOf({}) };
  const examined = await orEnded<Examined>(runWithDocuments(caller, "examine", { credential, now }), (detail) => ({
    ...nothing,
    isSigned: false,
    checks: [{ name: "format", outcome: "error", detail }],
  }));
  const { document, isSigned } = examined;
  if (!isSigned || !document) return examined;
  const statuses = await orEnded<StandardCheck[]>(runWithDocuments(caller, "statuses", { document, now }), (detail) => [
    { name: "status", outcome: "error", detail, reason: "status_unavailable" },
  ]);
  return { ...examined, checks: [...examined.checks, ...statuses] };
}

/** What was ended is undecided, never a pass: nobody knows what it would have come to. */
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
