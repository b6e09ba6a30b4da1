import { env } from "@/server/core/env";
import { mostBulkOperations } from "./protocol/bulk";
import { groupSchema, userSchema, type Attribute, type ResourceSchema } from "./protocol/schemas";
import { mostCount, mostPayload, usualCount } from "./query";
import { scimBase } from "./scim-base";

const served: readonly { schema: ResourceSchema; endpoint: string }[] = [
  { schema: userSchema, endpoint: "/Users" },
  { schema: groupSchema, endpoint: "/Groups" },
];

const prefix = "urn:ietf:params:scim:schemas:core:2.0:";

/** GET /ServiceProviderConfig (RFC 7643 section 5, RFC 9865 section 4): the features of SCIM that we support. */
export const serviceProviderConfig = () => ({
  schemas: [`${prefix}ServiceProviderConfig`],
  documentationUri: `${env().PUBLIC_URL}/docs/connectors#scim`,
  patch: { supported: true },
  bulk: { supported: true, maxOperations: mostBulkOperations, maxPayloadSize: mostPayload },
  filter: { supported: true, maxResults: mostCount },
  // A cursor contains a position and is not stored here, so it does not time out.
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: "index",
    defaultPageSize: usualCount,
    maxPageSize: mostCount,
  },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token of the SCIM connection, as Authorization: Bearer.",
      specUri: "https://www.rfc-editor.org/info/rfc6750",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${scimBase()}/ServiceProviderConfig` },
});

/** GET /ResourceTypes (RFC 7643 section 6). */
export const resourceTypes = () =>
  served.map(({ schema, endpoint }) => ({
    schemas: [`${prefix}ResourceType`],
    id: schema.name,
    name: schema.name,
    endpoint,
    description: schema.description,
    schema: schema.urn,
    schemaExtensions: schema.extensions.map(({ urn }) => ({ schema: urn, required: false })),
    meta: { resourceType: "ResourceType", location: `${scimBase()}/ResourceTypes/${schema.name}` },
  }));

/** GET /Schemas (RFC 7643 section 7). */
export const schemas = () =>
  served.flatMap(({ schema }) => [
    schemaOf({ urn: schema.urn, name: schema.name, description: schema.description, attributes: schema.own }),
    ...schema.extensions.map(schemaOf),
  ]);

function schemaOf({ urn, name, description, attributes }: ResourceSchema["extensions"][number]) {
  return {
    schemas: [`${prefix}Schema`],
    id: urn,
    name,
    description,
    attributes: attributes.map(described),
    meta: { resourceType: "Schema", location: `${scimBase()}/Schemas/${urn}` },
  };
}

function described({ subAttributes, ...attribute }: Attribute): object {
  return { ...attribute, ...(subAttributes.length > 0 && { subAttributes: subAttributes.map(described) }) };
}
