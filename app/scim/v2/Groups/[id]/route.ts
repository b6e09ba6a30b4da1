export {
  getGroup as GET,
  replaceGroup as PUT,
  patchGroup as PATCH,
  deleteGroup as DELETE,
} from "@/server/http/scim/groups";
