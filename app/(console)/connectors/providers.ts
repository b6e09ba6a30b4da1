/** A directory that the console knows how to set up. */
export type Provider = "entra" | "okta" | "google" | "onelogin" | "jumpcloud" | "other";

interface Instructions {
  label: string;
  /** The directory within a sentence. */
  inSentence: string;
  /** What to switch on before the directory shows the page for the base URL. */
  before: readonly string[];
  /** Where the base URL and the token are entered. */
  where: string;
  /** The labels of the base URL and the token in the directory. */
  urlLabel: string;
  tokenLabel: string;
  /** Other settings to choose on the same page of the directory. */
  choose: readonly string[];
  /** The directory's attributes and the SCIM attributes to map them to. */
  mapping: readonly (readonly [from: string, to: string])[];
  /** The options that must stay switched on. */
  keepOn: readonly string[];
  /** Other common pitfalls. */
  advice: readonly string[];
}

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/** For directories whose usual mapping has no externalId. */
const addressIsId =
  "The address is the id of a person here. Whoever is given the address of a former person gets that person's record here. Never give out an address again, or map an id that never changes to externalId.";

export const providers: Readonly<Record<Provider, Instructions>> = {
  entra: {
    label: "Microsoft Entra ID",
    inSentence: "Entra ID",
    before: [
      "Choose Enterprise applications → New application → Create your own application. Enter a name, and choose an application that you don't find in the gallery.",
      "In the application, choose Provisioning → Connect your application. In the older screen, choose Get started and Automatic.",
    ],
    where: "Enterprise applications → your application → Provisioning → Connect your application",
    urlLabel: "Tenant URL",
    tokenLabel: "Secret Token",
    choose: [
      "Choose Test Connection. The request appears here on the tab Requests. Then choose Create.",
      "Assign people and groups under Users and groups, then choose Start provisioning.",
    ],
    mapping: [
      ["userPrincipalName", "userName"],
      ["objectId", "externalId"],
      ['Switch([IsSoftDeleted], , "False", "True", "True", "False")', "active"],
      ["displayName", "displayName"],
      ["mail", 'emails[type eq "work"].value'],
      ["department", `${enterprise}:department`],
    ],
    keepOn: [
      "Create, Update and Delete, under Mappings. Without Update, Entra deactivates nobody here.",
      "Provision Groups with displayName, objectId → externalId and members, if you use groups.",
    ],
    advice: [
      "Map objectId to externalId. Entra's default is mailNickname, which changes with a name.",
      "Entra does not send that a value was emptied. Clear it here where it matters.",
      "Entra adds to lists of your own and never removes from them. Choose Edit here and name such lists, so that they hold what Entra sent last.",
      "Entra sends the groups that are assigned to the application, without the people of nested groups.",
    ],
  },
  okta: {
    label: "Okta",
    inSentence: "Okta",
    before: [
      "In the application, choose General → App Settings → Edit. Choose SCIM (in some versions Enable SCIM provisioning) under Provisioning, and save. The tab Provisioning appears.",
    ],
    where: "Applications → your application → Provisioning → Integration",
    urlLabel: "SCIM connector base URL",
    tokenLabel: "Authorization (HTTP Header, Bearer)",
    choose: [
      "Enter userName as the unique identifier field for users.",
      "As Authentication Mode, choose HTTP Header.",
      "Under Supported provisioning actions, choose Push New Users, Push Profile Updates and Push Groups.",
    ],
    mapping: [
      ["userName", "userName"],
      ["email", "emails"],
      ["givenName", "name.givenName"],
      ["familyName", "name.familyName"],
      ["department", `${enterprise}:department`],
    ],
    keepOn: ["Create Users, Update User Attributes and Deactivate Users, under Provisioning → To App."],
    advice: [
      "Okta sends each change once and never sends everybody again. The tab Differences shows what got lost. Force Sync in Okta sends people again: values that were changed here are as in Okta again, and people who were deactivated here are active again.",
      "Add groups under Push Groups. Assign their people to the application too, or they stay outside their groups here.",
      "Push now replaces all people of a group. If it would remove many at once, you are asked here first.",
    ],
  },
  google: {
    label: "Google Workspace",
    inSentence: "Google Workspace",
    before: [],
    where: "Apps → Web and mobile apps → your application → Autoprovisioning",
    urlLabel: "Endpoint URL",
    tokenLabel: "Access token",
    choose: [],
    mapping: [
      ["Primary email", "userName"],
      ["Primary email", 'emails[type eq "work"].value'],
      ["First name", "name.givenName"],
      ["Last name", "name.familyName"],
      ["Department", `${enterprise}:department`],
    ],
    keepOn: ["All options under Deprovisioning: they tell this service who has left."],
    advice: [
      addressIsId,
      "Under Deprovisioning, suspend people some days before they are deleted. Google otherwise deletes at once. Either way they are deactivated here and can come back.",
      "Google sends people and no groups. Make groups here by a rule, such as one for each department.",
    ],
  },
  onelogin: {
    label: "OneLogin",
    inSentence: "OneLogin",
    before: ["Choose Applications → Add App, and add SCIM Provisioner with SAML (SCIM v2 Enterprise)."],
    where: "Applications → your application → Configuration",
    urlLabel: "SCIM Base URL",
    tokenLabel: "SCIM Bearer Token",
    choose: [
      "The SCIM JSON Template must name each attribute below. Attributes that it lacks are not sent.",
      "Choose Enable under API Connection.",
    ],
    mapping: [
      ["Email", "userName"],
      ["Email", "emails"],
      ["OneLogin ID", "externalId"],
      ["First Name", "name.givenName"],
      ["Last Name", "name.familyName"],
      ["Department", `${enterprise}:department`],
    ],
    keepOn: [
      "Enable provisioning, with Create user, Delete user and Update user.",
      "If you use groups: Include in User Provisioning, at Groups under Parameters.",
    ],
    advice: [
      "Under Provisioning, choose Suspend for people who are deleted in OneLogin, so that they can come back.",
      "OneLogin sends the groups that a rule sets. Add one under Rules, such as Set Groups from role. Under Provisioning, Refresh in the section Entitlements reads the groups that are here.",
      "If OneLogin asks for the approval of an administrator for each action, nothing arrives here until somebody approves it there.",
    ],
  },
  jumpcloud: {
    label: "JumpCloud",
    inSentence: "JumpCloud",
    before: [],
    where: "SSO Applications → your application → Identity Management",
    urlLabel: "Base URL",
    tokenLabel: "Token Key",
    choose: [
      "Choose SCIM 2.0 as the version.",
      "As Test User Email, enter an address that nobody has here. JumpCloud creates a user with it to test the connection.",
      "Choose Test Connection, then Activate, then Save.",
    ],
    mapping: [
      ["email", "userName"],
      ["email", "emails"],
      ["firstname", "name.givenName"],
      ["lastname", "name.familyName"],
      ["department", `${enterprise}:department`],
    ],
    keepOn: ["Enable management of User Groups and Group Membership in this application, if you use groups."],
    advice: [
      addressIsId,
      "JumpCloud deletes the user and the group of its test again. The user stays here, inactive. You can delete it under People.",
    ],
  },
  other: {
    label: "Another directory",
    inSentence: "your directory",
    before: [],
    where: "The settings for SCIM 2.0 of your directory",
    urlLabel: "Base URL",
    tokenLabel: "Bearer token",
    choose: ["If it asks for a method of authentication, choose a bearer token in the HTTP header."],
    mapping: [
      ["The name with which people sign in", "userName"],
      ["An id that never changes", "externalId"],
      ["Whether they belong to you", "active"],
      ["The name", "displayName"],
      ["Or the parts of the name", "name.givenName, name.familyName"],
      ["The e-mail address", "emails"],
    ],
    keepOn: ["Creating, updating and deactivating people. Without updates, nobody is deactivated here."],
    advice: ["Send an externalId that never changes. A person without one is known by userName."],
  },
};

export const providerOptions: readonly { value: Provider; label: string }[] = (
  Object.keys(providers) as Provider[]
).map((value) => ({
  value,
  label: providers[value].label,
}));

export type Adopt = "externalId" | "email" | "never";

/** The choices for people who were created by another source. */
export const adoptOptions: readonly { value: Adopt; label: string; description: string }[] = [
  { value: "externalId", label: "Take over by id", description: "Where the directory's id is their id here." },
  {
    value: "email",
    label: "Take over by id or e-mail address",
    description: "They keep their id here. Where several people share an address, the directory is refused.",
  },
  { value: "never", label: "Refuse them", description: "The directory is told that they are there already." },
];
