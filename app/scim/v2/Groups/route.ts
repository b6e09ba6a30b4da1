export { listGroups as GET, createGroup as POST } from "@/server/http/scim/groups";
