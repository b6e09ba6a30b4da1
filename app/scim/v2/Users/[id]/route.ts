export { getUser as GET, replaceUser as PUT, patchUser as PATCH, deleteUser as DELETE } from "@/server/http/scim/users";
