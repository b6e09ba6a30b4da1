export { getServiceProviderConfig as GET } from "@/server/http/scim/discovery";
