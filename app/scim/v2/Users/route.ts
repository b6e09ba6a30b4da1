export { listUsers as GET, createUser as POST } from "@/server/http/scim/users";
