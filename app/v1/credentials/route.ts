import { pageOf } from "@/server/core/pagination";
import { issueCredential } from "@/server/credentials/issue";
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
  operation: issueCredential,
  summary: "Issue a credential",
  description:
    "201 for a new credential; 200 where ifExists is return and the subject holds one. Writing a subject in passing needs subjects:write.",
  response: credentialSchema,
  statuses: [201, 200],
  location: ({ credential }) => `/v1/credentials/${credential.id}`,
  respond: ({ credential, created }) => ({ status: created ? 201 : 200, body: credential }),
  example: {
    request: {
      subject: { externalId: "s-1001", displayName: "Ada Lovelace", email: "ada@example.edu" },
      templateId: "tpl_01kfa0v3s1e8r9k2n4m6p8q0t2",
      expiresAt: "2027-09-30T00:00:00Z",
      ifExists: "return",
    },
  },
});
