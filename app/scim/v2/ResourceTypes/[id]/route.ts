export { getResourceType as GET } from "@/server/http/scim/discovery";
