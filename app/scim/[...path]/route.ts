import { unknownScimPath } from "@/server/http/scim/scim-route";

export {
  unknownScimPath as GET,
  unknownScimPath as POST,
  unknownScimPath as PUT,
  unknownScimPath as PATCH,
  unknownScimPath as DELETE,
};
