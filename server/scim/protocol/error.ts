/** The values of scimType (RFC 7644 section 3.12, RFC 9865 section 2.3) that we answer. */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  | "invalidCursor"
  | "invalidCount"
  | "sensitive";

/** A refusal in the format of RFC 7644 section 3.12. The message repeats no value that a provider sent. */
export class ScimError extends Error {
  override readonly name = "ScimError";
  constructor(
    readonly status: number,
    readonly scimType: ScimType | undefined,
    detail: string,
  ) {
    super(detail);
  }
}

export const badRequest = (scimType: ScimType, detail: string): ScimError => new ScimError(400, scimType, detail);
