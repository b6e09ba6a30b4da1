// The collection of requests that Microsoft publishes uses this path too.
export { getServiceProviderConfig as GET } from "@/server/http/scim/discovery";
