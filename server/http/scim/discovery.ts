import { ScimError } from "@/server/scim/protocol/error";
import { listUrn } from "@/server/scim/protocol/messages";
import { resourceTypes, schemas, serviceProviderConfig } from "@/server/scim/discovery";
import { answer, scimRoute } from "./scim-route";

const listOf = (resources: object[]) =>
  answer({
    schemas: [listUrn],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  });

function one(resources: { id: string }[], id: string) {
  const found = resources.find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (!found) throw new ScimError(404, undefined, "There is none of this name.");
  return answer(found);
}

export const getServiceProviderConfig = scimRoute(async () => answer(serviceProviderConfig()));
export const listSchemas = scimRoute(async () => listOf(schemas()));
export const getSchema = scimRoute(async ({ params }) => one(schemas(), params["id"]!));
export const listResourceTypes = scimRoute(async () => listOf(resourceTypes()));
export const getResourceType = scimRoute(async ({ params }) => one(resourceTypes(), params["id"]!));
