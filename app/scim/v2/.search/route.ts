export { search as POST } from "@/server/http/scim/search";
