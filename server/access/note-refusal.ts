import type { Actor, Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { noAddress, recordSecurityEvent } from "./security-events";

/** Records a security event if the error is `insufficient_scope`. Ignores other errors. */
export function noteRefusedScope(error: unknown, { orgId, actor, requestId, now }: Ctx, address: string): void {
  if (!(error instanceof DomainError) || error.code !== "insufficient_scope") return;
  const scope = error.extras.members?.["scope"];
  recordSecurityEvent({
    type: "scope_refused",
    orgId,
    target: actor,
    detail: typeof scope === "string" ? { scope } : {},
    address,
    requestId,
    at: now,
  });
}

/**
 * Records a security event for stored work that was ended because its actor may no longer do it: the key, client or
 * person was revoked, left or lost the scope. The audit log says why. The service itself ran the work, so there is no
 * address.
 */
export function noteStoppedJob(
  { orgId, requestId, now }: Pick<Ctx, "orgId" | "requestId" | "now">,
  { actor, job }: { actor: Actor; job: string },
): void {
  recordSecurityEvent({
    type: "job_stopped",
    orgId,
    target: actor,
    detail: { job },
    address: noAddress,
    requestId,
    at: now,
  });
}
