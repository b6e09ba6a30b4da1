// The collection of requests that Microsoft publishes asks here too.
export { getServiceProviderConfig as GET } from "@/server/http/scim/discovery";
