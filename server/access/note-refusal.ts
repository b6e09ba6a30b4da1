import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { recordSecurityEvent } from "./security-events";

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
