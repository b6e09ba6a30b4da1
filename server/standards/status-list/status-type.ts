import type { JsonObject } from "../json";
import type { Surroundings } from "../surroundings";

/** What a status entry says of its credential. `isSet` of another purpose than these two changes nothing. */
export interface Status {
  purpose: string;
  isSet: boolean;
  /** What the issuer says of a value that is set, where it says something. */
  message?: string;
}

export interface StatusContext extends Surroundings {
  /** The issuer of the credential: its list must be of the same. */
  issuer: string;
  credentialId: string | undefined;
  /**
   * Verifies the signature, the shape and the validity of a credential that holds a list, and gives its document.
   * @throws Invalid; Unverifiable
   */
  verifyList(text: string): Promise<JsonObject>;
}

/** A kind of `credentialStatus`: one file each, named in status-types.ts. */
export interface StatusType {
  type: string;
  /** Wrong shapes of an entry, in sentences. */
  problems(entry: JsonObject): string[];
  /** @throws Invalid; Unverifiable */
  read(entry: JsonObject, context: StatusContext): Promise<Status>;
}
