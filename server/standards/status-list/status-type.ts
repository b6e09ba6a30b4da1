import type { JsonObject } from "../json";
import type { Surroundings } from "../surroundings";

/** What a status entry says of its credential. Only the purposes `revocation` and `suspension` can make it invalid. */
export interface Status {
  purpose: string;
  isSet: boolean;
  /** The issuer's text for a value that is set, if it gives one. */
  message?: string;
}

export interface StatusContext extends Surroundings {
  /** The issuer of the credential, which must also be the issuer of the list. */
  issuer: string;
  credentialId: string | undefined;
  /**
   * Verifies the signature, the shape and the validity of a credential that holds a list, and returns its document.
   * @throws Invalid; Unverifiable
   */
  verifyList(text: string): Promise<JsonObject>;
}

/** A kind of `credentialStatus`: one file each, listed in status-types.ts. */
export interface StatusType {
  type: string;
  /** Wrong shapes of an entry, in sentences. */
  problems(entry: JsonObject): string[];
  /** @throws Invalid; Unverifiable */
  read(entry: JsonObject, context: StatusContext): Promise<Status>;
}
