import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";

type Described = ZodOpenApiOperationObject & { path: string; method: "get" | "post" };

const clientFields = {
  client_id: z.string().optional().meta({ description: "Where the client does not authenticate by HTTP Basic." }),
  client_secret: z.string().optional(),
};

const refusal = z
  .object({
    error: z.enum(["invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "temporarily_unavailable", "server_error"]),
    error_description: z.string(),
  })
  .meta({ id: "OAuthError" });

const form = (fields: z.ZodObject) => ({ required: true, content: { "application/x-www-form-urlencoded": { schema: fields } } });
const json = (description: string, schema: z.ZodType) => ({ description, content: { "application/json": { schema } } });
const refusals = {
  "400": json("The request is not valid (RFC 6749 section 5.2).", refusal),
  "401": json("The client is unknown or revoked, or its secret is wrong.", refusal),
  "429": json("Too many requests from this address.", refusal),
};

/** The OAuth endpoints, which take forms and refuse in a shape of their own. */
export const oauthOperations: Described[] = [
  {
    path: "/oauth/token",
    method: "post",
    operationId: "oauthToken",
    tags: ["oauth"],
    summary: "Get an access token with client credentials",
    requestBody: form(z.object({ grant_type: z.literal("client_credentials"), scope: z.string().optional(), ...clientFields })),
    responses: {
      "200": json("A token for 15 minutes.", z.object({ access_token: z.string(), token_type: z.literal("Bearer"), expires_in: z.int(), scope: z.string() })),
      ...refusals,
    },
  },
  {
    path: "/oauth/revoke",
    method: "post",
    operationId: "oauthRevoke",
    tags: ["oauth"],
    summary: "End an access token (RFC 7009)",
    requestBody: form(z.object({ token: z.string(), token_type_hint: z.string().optional(), ...clientFields })),
    responses: { "200": { description: "The token does not work any more, if it ever did." }, ...refusals },
  },
  {
    path: "/oauth/introspect",
    method: "post",
    operationId: "oauthIntrospect",
    tags: ["oauth"],
    summary: "Ask what an access token stands for (RFC 7662)",
    requestBody: form(z.object({ token: z.string(), token_type_hint: z.string().optional(), ...clientFields })),
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
      ),
      ...refusals,
    },
  },
];
