export { listSchemas as GET } from "@/server/http/scim/discovery";
