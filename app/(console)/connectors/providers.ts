/** A directory that the console knows how to set up. */
export type Provider = "entra" | "okta" | "google" | "onelogin" | "jumpcloud" | "other";

interface Instructions {
  label: string;
  /** Where the base URL and the token are entered. */
  where: string;
  /** What base URL and token are called there. */
  urlLabel: string;
  tokenLabel: string;
  /** Which attribute of the directory goes to which of SCIM. */
  mapping: readonly (readonly [from: string, to: string])[];
  /** What must stay switched on, and what people trip over. */
  advice: readonly string[];
}

export const providers: Readonly<Record<Provider, Instructions>> = {
  entra: {
    label: "Microsoft Entra ID",
    where: "Enterprise applications → New application → Create your own → Provisioning → Automatic",
    urlLabel: "Tenant URL",
    tokenLabel: "Secret token",
    mapping: [
      ["userPrincipalName", "userName"],
      ["objectId", "externalId"],
      ['Switch([IsSoftDeleted], , "False", "True", "True", "False")', "active"],
      ["displayName", "displayName"],
      ["mail", 'emails[type eq "work"].value'],
      ["department", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"],
    ],
    advice: [
      "Map objectId to externalId. Entra's default is mailNickname, which changes with a name.",
      "Leave Create, Update and Delete switched on. Without Update, Entra deactivates nobody.",
      "Entra rarely clears an attribute that was emptied. Correct it here where it matters.",
      "Groups: leave Provision Groups on with displayName, objectId → externalId and members. Entra sends the groups that are assigned to the application, without nested ones.",
    ],
  },
  okta: {
    label: "Okta",
    where: "Applications → your application → Provisioning → Integration",
    urlLabel: "SCIM connector base URL",
    tokenLabel: "Authorization: HTTP header, bearer token",
    mapping: [
      ["userName", "userName"],
      ["email", "emails"],
      ["givenName, familyName", "name.givenName, name.familyName"],
      ["department", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"],
    ],
    advice: [
      "Enter userName as the unique identifier field.",
      "Switch on Create Users, Update User Attributes and Deactivate Users.",
      "Okta never sends everybody again by itself. After a change of the mapping, choose Force Sync there.",
      "Groups: add them under Push Groups. Assign the same people to the application, or they stay outside their groups.",
    ],
  },
  google: {
    label: "Google Workspace",
    where: "Apps → Web and mobile apps → your application → Autoprovisioning",
    urlLabel: "Endpoint URL",
    tokenLabel: "Access token",
    mapping: [
      ["Primary email", "userName"],
      ["First name, last name", "name.givenName, name.familyName"],
      ["Department", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"],
    ],
    advice: ["Under Deprovisioning, let Google suspend first. Otherwise it deletes at once."],
  },
  onelogin: {
    label: "OneLogin",
    where: "Applications → SCIM Provisioner with SAML (SCIM v2 Enterprise) → Configuration",
    urlLabel: "SCIM Base URL",
    tokenLabel: "SCIM Bearer Token",
    mapping: [
      ["Email", "userName"],
      ["OneLogin ID", "externalId"],
      ["Department", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"],
    ],
    advice: ["Under Provisioning, choose Suspend for people who are deleted, so that they can come back."],
  },
  jumpcloud: {
    label: "JumpCloud",
    where: "SSO applications → your application → Identity Management",
    urlLabel: "Base URL",
    tokenLabel: "Token key",
    mapping: [
      ["email", "userName"],
      ["firstname, lastname", "name.givenName, name.familyName"],
      ["department", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"],
    ],
    advice: ["JumpCloud tests with a user of its own. It stays here, inactive, and can be deleted."],
  },
  other: {
    label: "Another directory",
    where: "The settings for SCIM 2.0 of your directory",
    urlLabel: "Base URL",
    tokenLabel: "Bearer token",
    mapping: [
      ["The name with which people sign in", "userName"],
      ["An id that never changes", "externalId"],
      ["Whether they belong to you", "active"],
      ["The name", "displayName, or name.givenName and name.familyName"],
      ["The e-mail address", "emails"],
    ],
    advice: ["Send an externalId that never changes. Without one, a person is known by userName."],
  },
};

export const providerOptions: readonly { value: Provider; label: string }[] = (
  Object.keys(providers) as Provider[]
).map((value) => ({
  value,
  label: providers[value].label,
}));

export type Adopt = "externalId" | "never";

/** What becomes of people whom another source has made. */
export const adoptOptions: readonly { value: Adopt; label: string; description: string }[] = [
  { value: "externalId", label: "Take them over", description: "Where the directory's id is their id here." },
  { value: "never", label: "Refuse them", description: "The directory is told that they are there already." },
];
