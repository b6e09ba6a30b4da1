/** Details of the check `signature` for documents that are refused although the signature itself is valid. */
export const refusedAllTheSame = {
  /** For a document of another issuer whose id leads to a page of this service, as if it were one of ours. */
  borrowed:
    "Its id is the address of a credential of this service, but another issuer signed it. It is not the document of that credential.",
  /** For a document of this service that was altered although its signature is valid. */
  altered:
    "Somebody altered it: what it says of the achievement is not what was issued. Check the code of the credential, or ask its holder for a new file.",
};
