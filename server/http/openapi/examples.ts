import { channelsExamples } from "./examples/channels";
import { claimsExamples } from "./examples/claims";
import { connectorsExamples } from "./examples/connectors";
import { credentialsExamples } from "./examples/credentials";
import { organisationsExamples } from "./examples/organisations";
import { peopleExamples } from "./examples/people";
import { policiesExamples } from "./examples/policies";
import { templatesExamples } from "./examples/templates";
import { webhooksExamples } from "./examples/webhooks";

/** An example of each response schema; examples of lists and unions are built from these. */
export const examples: Record<string, unknown> = {
  ...channelsExamples,
  ...claimsExamples,
  ...connectorsExamples,
  ...credentialsExamples,
  ...organisationsExamples,
  ...peopleExamples,
  ...policiesExamples,
  ...templatesExamples,
  ...webhooksExamples,
};
