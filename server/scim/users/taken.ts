import { ScimError } from "../protocol/error";

export const taken = (detail = "Another user of this connection has this userName or externalId.") =>
  new ScimError(409, "uniqueness", detail);
