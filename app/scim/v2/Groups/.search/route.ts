export { searchGroups as POST } from "@/server/http/scim/groups";
