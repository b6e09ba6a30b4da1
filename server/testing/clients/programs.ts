/**
 * The main task of an integration, written with the client of each generator: upsert a person, create a template,
 * issue, suspend, verify, revoke, and list events until all four are there (an event gets its number shortly after its
 * commit). A template may ask holders to confirm their names; issuing then answers a request instead of a credential,
 * which the type tells. Each program prints what it saw last, and compiles in strict mode.
 */
export const programs: Record<string, string> = {
  "openapi-typescript": `import createClient from "openapi-fetch";
import type { paths, webhooks } from "./openapi-typescript";

const api = createClient<paths>({ baseUrl: process.env.BASE!, headers: { authorization: \`Bearer \${process.env.KEY}\` } });
const { data: subject } = await api.PUT("/v1/subjects", { body: { externalId: "openapi-typescript", displayName: "Ada Lovelace" } });
const { data: template } = await api.POST("/v1/templates", { body: { name: "With openapi-typescript", kind: "student_id", publish: true } });
const { data: credential, error } = await api.POST("/v1/credentials", { body: { subject: { id: subject!.id }, templateId: template!.id, ifExists: "fail" } });
if (credential?.object !== "credential") throw new Error(error?.detail ?? "The holder confirms the name first");
const path = { id: credential.id };
const { data: suspended } = await api.POST("/v1/credentials/{id}/suspend", { params: { path }, body: { reason: "Fees are overdue" } });
const { data: verified } = await api.POST("/v1/verify", { body: { code: credential.code } });
const { data: revoked } = await api.POST("/v1/credentials/{id}/revoke", { params: { path }, body: { reason: "Left the university" } });
const log = () => api.GET("/v1/events", { params: { query: { resourceId: credential.id, after: 0 } } });
let events = (await log()).data;
while ((events?.data.length ?? 0) < 4) events = (await log()).data;
type Revoked = webhooks["credential.revoked"]["post"]["requestBody"]["content"]["application/json"];
const last = (event: Revoked): string | null => event.data.object.revocationReason;
void last;
console.log(JSON.stringify([suspended?.state, verified?.result, verified?.reason, revoked?.state, events?.data.map(({ type }) => type)]));
`,
  "hey-api": `import { client } from "./hey-api/client.gen";
import { credentialsIssue, credentialsRevoke, credentialsSuspend, credentialsVerify, eventsList, subjectsUpsert, templatesCreate } from "./hey-api";
import type { CredentialRevokedEvent } from "./hey-api";

client.setConfig({ baseUrl: process.env.BASE!, auth: () => process.env.KEY! });
const { data: subject } = await subjectsUpsert({ throwOnError: true, body: { externalId: "hey-api", displayName: "Ada Lovelace" } });
const { data: template } = await templatesCreate({ throwOnError: true, body: { name: "With hey-api", kind: "student_id", publish: true } });
const { data: credential } = await credentialsIssue({ throwOnError: true, body: { subject: { id: subject.id }, templateId: template.id } });
if (credential.object !== "credential") throw new Error("The holder confirms the name first");
const path = { id: credential.id };
const { data: suspended } = await credentialsSuspend({ throwOnError: true, path, body: { reason: "Fees are overdue" } });
const { data: verified } = await credentialsVerify({ throwOnError: true, body: { code: credential.code } });
const { data: revoked } = await credentialsRevoke({ throwOnError: true, path, body: { reason: "Left the university" } });
const log = () => eventsList({ throwOnError: true, query: { resourceId: credential.id, after: 0 } });
let events = (await log()).data;
while (events.data.length < 4) events = (await log()).data;
const last = (event: CredentialRevokedEvent): string | null => event.data.object.revocationReason;
void last;
console.log(JSON.stringify([suspended.state, verified.result, verified.reason, revoked.state, events.data.map(({ type }) => type)]));
`,
  orval: `import { credentialsIssue, credentialsRevoke, credentialsSuspend, credentialsVerify, eventsList, subjectsUpsert, templatesCreate } from "./orval-fetch";
import { CredentialsIssueBody, CredentialsIssueResponse, CredentialsRevokeResponse, CredentialsSuspendResponse, CredentialsVerifyResponse, EventsListResponse, SubjectsUpsertBody, SubjectsUpsertResponse, TemplatesCreateBody, TemplatesCreateResponse } from "./orval-zod";

const options = { headers: { authorization: \`Bearer \${process.env.KEY}\` } };
const subject = SubjectsUpsertResponse.parse((await subjectsUpsert(SubjectsUpsertBody.parse({ externalId: "orval", displayName: "Ada Lovelace" }), options)).data);
const template = TemplatesCreateResponse.parse((await templatesCreate(TemplatesCreateBody.parse({ name: "With orval", kind: "student_id", publish: true }), options)).data);
const credential = CredentialsIssueResponse.parse((await credentialsIssue(CredentialsIssueBody.parse({ subject: { id: subject.id }, templateId: template.id }), options)).data);
const suspended = CredentialsSuspendResponse.parse((await credentialsSuspend(credential.id, { reason: "Fees are overdue" }, options)).data);
const verified = CredentialsVerifyResponse.parse((await credentialsVerify({ code: credential.code }, options)).data);
const revoked = CredentialsRevokeResponse.parse((await credentialsRevoke(credential.id, { reason: "Left the university" }, options)).data);
const log = async () => EventsListResponse.parse((await eventsList({ resourceId: credential.id, after: 0 }, options)).data);
let events = await log();
while (events.data.length < 4) events = await log();
console.log(JSON.stringify([suspended.state, verified.result, verified.reason, revoked.state, events.data.map(({ type }) => type)]));
`,
};
