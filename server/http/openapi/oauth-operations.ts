import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { refusalResponses } from "./problem-schema";
import { httpRefusals } from "./refusals";
import { tagOf } from "./tags";

type Described = ZodOpenApiOperationObject & { path: string; method: "get" | "post" };

const clientFields = {
  client_id: z.string().optional().meta({ description: "Where the client does not authenticate by HTTP Basic." }),
  client_secret: z.string().optional(),
};

const refusal = z
  .object({
    error: z.enum([
      "invalid_request",
      "invalid_client",
      "unauthorized_client",
      "unsupported_grant_type",
      "invalid_scope",
      "temporarily_unavailable",
      "server_error",
    ]),
    error_description: z.string(),
  })
  .meta({ id: "OAuthError" });

const form = (fields: z.ZodObject, example: object) => ({
  required: true,
  content: { "application/x-www-form-urlencoded": { schema: fields, example } },
});
const json = (description: string, schema: z.ZodType, example?: object) => ({
  description,
  content: { "application/json": { schema, ...(example && { example }) } },
});
const access = "svc_at_4f9Kc1vXqT0bN7mZ2sYw8RjLpA6eHd3G";
const client = "svc_cl_uPjCvIVfn2pnyJXon5iac83l";
const problems = refusalResponses(["malformed_request", "rate_limited", ...httpRefusals]);
/** A response of the endpoint, or a problem document if the server refuses before the endpoint is reached. */
const orProblem = (status: "400" | "429", answer: ReturnType<typeof json>) => ({
  ...answer,
  content: { ...answer.content, ...problems[status]!.content },
});
const refusals = {
  ...problems,
  "400": orProblem("400", json("The request is not valid (RFC 6749 section 5.2), or not HTTP.", refusal)),
  "401": json("The client is unknown or revoked, or its secret is wrong.", refusal),
  "413": json("The body is larger than 16 KiB.", refusal),
  "415": json("The body is compressed.", refusal),
  "429": orProblem("429", json("Too many requests from this address.", refusal)),
  "500": json("Something went wrong on our side.", refusal),
  "503": json("Not available at the moment.", refusal),
};

/** The OAuth endpoints, which accept forms and have their own error format. */
export const oauthOperations: Described[] = [
  {
    path: "/oauth/token",
    method: "post",
    operationId: "oauthToken",
    tags: [tagOf("/oauth")],
    summary: "Get an access token with client credentials",
    requestBody: form(
      z.object({ grant_type: z.literal("client_credentials"), scope: z.string().optional(), ...clientFields }),
      { grant_type: "client_credentials", scope: "subjects:write credentials:issue" },
    ),
    responses: {
      "200": json(
        "A token for 15 minutes.",
        z.object({ access_token: z.string(), token_type: z.literal("Bearer"), expires_in: z.int(), scope: z.string() }),
        {
          access_token: access,
          token_type: "Bearer",
          expires_in: 900,
          scope: "subjects:write credentials:issue",
        },
      ),
      ...refusals,
    },
  },
  {
    path: "/oauth/revoke",
    method: "post",
    operationId: "oauthRevoke",
    tags: [tagOf("/oauth")],
    summary: "End an access token (RFC 7009)",
    requestBody: form(z.object({ token: z.string(), token_type_hint: z.string().optional(), ...clientFields }), {
      token: access,
    }),
    responses: { "200": { description: "The token does not work any more, if it ever did." }, ...refusals },
  },
  {
    path: "/oauth/introspect",
    method: "post",
    operationId: "oauthIntrospect",
    tags: [tagOf("/oauth")],
    summary: "Ask what an access token stands for (RFC 7662)",
    requestBody: form(z.object({ token: z.string(), token_type_hint: z.string().optional(), ...clientFields }), {
      token: access,
    }),
    responses: {
      "200": json(
        "Of a token that does not work, active alone.",
        z.object({
          active: z.boolean(),
          client_id: z.string().optional(),
          sub: z.string().optional(),
          scope: z.string().optional(),
          token_type: z.literal("Bearer").optional(),
          iss: z.string().optional(),
          iat: z.int().optional(),
          exp: z.int().optional(),
        }),
        {
          active: true,
          client_id: client,
          sub: client,
          scope: "credentials:issue",
          token_type: "Bearer",
          iss: "https://credentials.example.edu",
          iat: 1_788_253_200,
          exp: 1_788_254_100,
        },
      ),
      ...refusals,
    },
  },
];
