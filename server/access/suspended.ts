import { DomainError } from "@/server/core/errors";

/** What everyone who works in a suspended organisation is told. */
export function organisationSuspended(): DomainError {
  return new DomainError(
    "organisation_suspended",
    "The operator of this service has suspended this organisation. Nothing was deleted, and its credentials can still be verified. Ask the operator.",
  );
}
