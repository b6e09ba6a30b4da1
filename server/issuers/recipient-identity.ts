/** How the signed documents of an organisation identify their holders. */
export const recipientIdentities = ["hashed", "name", "email"] as const;
export type RecipientIdentity = (typeof recipientIdentities)[number];

export const recipientIdentityMeaning =
  "How the signed document of an academic credential says for whom it is. hashed: a salted hash of the e-mail address, or of the external id where there is none; who knows the address can check it. name: that hash, and the holder's name in clear. email: name and e-mail address (or external id) in clear; such documents are not given out on public pages.";
