export { searchUsers as POST } from "@/server/http/scim/users";
