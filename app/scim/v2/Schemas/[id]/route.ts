export { getSchema as GET } from "@/server/http/scim/discovery";
