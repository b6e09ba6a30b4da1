export { bulk as POST } from "@/server/http/scim/bulk";
