import { DomainError } from "@/server/core/errors";

/** The error for everyone who works in a suspended organisation. */
export function organisationSuspended(): DomainError {
  return new DomainError(
    "organisation_suspended",
    "The operator of this service has suspended this organisation. Nothing was deleted, and its credentials can still be verified. Ask the operator.",
  );
}
