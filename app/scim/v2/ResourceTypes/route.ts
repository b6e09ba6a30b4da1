export { listResourceTypes as GET } from "@/server/http/scim/discovery";
