import { credentialOrInput } from "@/server/verification/verify";
import { credentialFile } from "@/server/verification/verify-file";
import type { FileBody } from "./read-file";

/**
 * The file of a verification: a credential, as the body or as the part `file` of a form. A code or credential may come
 * as application/json instead.
 */
export const verificationFile: FileBody = {
  field: "file",
  partName: "file",
  ...credentialFile,
  besideJson: true,
  fromJson: credentialOrInput,
};
