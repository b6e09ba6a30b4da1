import { ScimError } from "@/server/scim/protocol/error";
import { listUrn } from "@/server/scim/protocol/messages";
import { resourceTypes, schemas, serviceProviderConfig } from "@/server/scim/discovery";
import { answer, scimRoute, visitorRoute, type ScimRequest } from "./scim-route";
import type { Endpoint, Reply } from "@/server/http/rest/endpoint";

type Described = Pick<ScimRequest, "query" | "params">;

/**
 * Answers with a description of this service. A filter is refused with 403, so that nobody mistakes the answer for a
 * filtered one (RFC 7644 section 4); other query parameters are ignored.
 */
const unfiltered =
  (serve: (request: Described) => Reply) =>
  async (request: Described): Promise<Reply> => {
    if (Object.keys(request.query).some((name) => name.toLowerCase() === "filter"))
      throw new ScimError(403, undefined, "Descriptions of this service are not filtered. Ask again without filter.");
    return serve(request);
  };

const described = (serve: (request: Described) => Reply) => scimRoute(unfiltered(serve));

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

const config = unfiltered(() => answer(serviceProviderConfig()));
const configOfDirectory = scimRoute(config);
const configOfVisitor = visitorRoute(config);

/**
 * GET /ServiceProviderConfig. Needs no token, because it says how to authenticate (RFC 7643 section 5). A token that is
 * sent must be valid, because some directories test their connection by this request.
 */
export const getServiceProviderConfig: Endpoint = (request, context) =>
  (request.headers.has("authorization") ? configOfDirectory : configOfVisitor)(request, context);
export const listSchemas = described(() => listOf(schemas()));
export const getSchema = described(({ params }) => one(schemas(), params["id"]!));
export const listResourceTypes = described(() => listOf(resourceTypes()));
export const getResourceType = described(({ params }) => one(resourceTypes(), params["id"]!));
