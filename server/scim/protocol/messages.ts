export const listUrn = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const errorUrn = "urn:ietf:params:scim:api:messages:2.0:Error";
export const bulkResponseUrn = "urn:ietf:params:scim:api:messages:2.0:BulkResponse";
export const patchUrn = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
