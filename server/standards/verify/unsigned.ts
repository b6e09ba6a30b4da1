/** How the sentence about a document without any signature begins. Scripts of public pages carry this much of it. */
export const unsignedOpening = "This document is not signed";

/**
 * The detail of the check `signature` for a document without any signature. Nothing failed to fit there, so screens use
 * other words than for a wrong signature; they know it by its opening. A module of its own, for browsers.
 */
export const unsignedWords =
  "This document is not signed: it has no proof. Anybody can have written it, so it proves nothing. Ask the holder for the signed file, or for the link or the code of the credential.";
