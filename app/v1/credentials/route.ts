import { pageOf } from "@/server/core/pagination";
import { confirmationSchema } from "@/server/credentials/confirmation";
import { issueOrAsk } from "@/server/credentials/issue-or-ask";
import { listCredentials } from "@/server/credentials/list";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listCredentials,
  summary: "List credentials",
  description: "The filters q and externalId search people, and take the scope subjects:read too.",
  scopeSets: [["credentials:read"], ["credentials:read", "subjects:read"]],
  response: pageOf(credentialSchema),
});

export const POST = route({
  operation: issueOrAsk,
  summary: "Issue a credential",
  description:
    "201 for a new credential; 200 where ifExists is return and the subject holds one. 202 with a name confirmation where the template has confirmName: the credential is issued once the holder has confirmed the name. Writing a subject in passing needs subjects:write.",
  response: credentialSchema,
  responses: { 202: confirmationSchema },
  statuses: [201, 200, 202],
  location: ({ credential, nameConfirmation }) =>
    credential ? `/v1/credentials/${credential.id}` : `/v1/name_confirmations/${nameConfirmation.id}`,
  respond: ({ credential, nameConfirmation, created }) =>
    credential ? { status: created ? 201 : 200, body: credential } : { status: 202, body: nameConfirmation },
  example: {
    request: {
      subject: { externalId: "s-1001", displayName: "Ada Lovelace", email: "ada@example.edu" },
      templateId: "tpl_01kfa0v3s1e8r9k2n4m6p8q0t2",
      expiresAt: "2027-09-30T00:00:00Z",
      ifExists: "return",
    },
  },
});
