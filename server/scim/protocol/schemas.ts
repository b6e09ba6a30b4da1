/** The URNs of RFC 7643 and RFC 7644. */
export const userUrn = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupUrn = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const enterpriseUrn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

export type AttributeType = "string" | "boolean" | "dateTime" | "reference" | "binary" | "complex";

/** One attribute of a schema. Canonical names, coercion, filters and GET /Schemas all follow from this table. */
export interface Attribute {
  name: string;
  type: AttributeType;
  multiValued: boolean;
  required: boolean;
  caseExact: boolean;
  mutability: "readOnly" | "readWrite" | "immutable" | "writeOnly";
  returned: "always" | "default" | "never";
  uniqueness: "none" | "server";
  /** Required for the type reference: the kinds of resources that it may name (RFC 7643 section 7). */
  referenceTypes?: readonly ("User" | "Group" | "external")[];
  description: string;
  subAttributes: readonly Attribute[];
}

function attribute(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: "string",
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    description,
    subAttributes: [],
    ...more,
  };
}

const complex = (name: string, description: string, subAttributes: Attribute[], more: Partial<Attribute> = {}) =>
  attribute(name, description, { type: "complex", subAttributes, ...more });

const values = (name: string, description: string, value: Partial<Attribute> = {}) =>
  complex(
    name,
    description,
    [
      attribute("value", "The value.", value),
      attribute("display", "A name for people."),
      attribute("type", "What the value is for, such as work or home."),
      attribute("primary", "Whether this is the preferred value.", { type: "boolean" }),
      attribute("$ref", "The address of what the value refers to.", {
        type: "reference",
        referenceTypes: ["external"],
        caseExact: true,
      }),
    ],
    { multiValued: true },
  );

export const userAttributes: readonly Attribute[] = [
  attribute("userName", "The name with which the person signs in, unique in the connection.", {
    required: true,
    uniqueness: "server",
  }),
  complex("name", "The parts of the name.", [
    attribute("formatted", "The whole name."),
    attribute("familyName", "The family name."),
    attribute("givenName", "The given name."),
    attribute("middleName", "The middle names."),
    attribute("honorificPrefix", "Titles before the name."),
    attribute("honorificSuffix", "Suffixes of the name."),
  ]),
  attribute("displayName", "The name that is shown."),
  attribute("nickName", "The name by which the person is usually addressed."),
  attribute("profileUrl", "The address of a profile.", {
    type: "reference",
    referenceTypes: ["external"],
    caseExact: true,
  }),
  attribute("title", "The job title."),
  attribute("userType", "The relationship of the person to the organisation, such as employee or student."),
  attribute("preferredLanguage", "The language in which the person reads."),
  attribute("locale", "The region whose formats the person uses."),
  attribute("timezone", "The time zone."),
  attribute("active", "Whether the person belongs to the organisation at present.", { type: "boolean" }),
  attribute("password", "Accepted and discarded. People do not sign in to this service.", {
    mutability: "writeOnly",
    returned: "never",
    caseExact: true,
  }),
  values("emails", "E-mail addresses."),
  values("phoneNumbers", "Phone numbers."),
  values("ims", "Addresses of instant messaging."),
  values("photos", "Addresses of pictures.", { type: "reference", referenceTypes: ["external"], caseExact: true }),
  complex(
    "addresses",
    "Postal addresses.",
    [
      attribute("formatted", "The whole address."),
      attribute("streetAddress", "Street and number."),
      attribute("locality", "The town."),
      attribute("region", "The state or region."),
      attribute("postalCode", "The postal code."),
      attribute("country", "The country."),
      attribute("type", "What the address is for, such as work or home."),
      attribute("primary", "Whether this is the preferred address.", { type: "boolean" }),
    ],
    { multiValued: true },
  ),
  complex(
    "groups",
    "The groups of the person. Change them at the group.",
    [
      attribute("value", "The id of the group.", { mutability: "readOnly", caseExact: true }),
      attribute("$ref", "The address of the group.", {
        type: "reference",
        referenceTypes: ["Group"],
        mutability: "readOnly",
        caseExact: true,
      }),
      attribute("display", "The name of the group.", { mutability: "readOnly" }),
      attribute("type", "direct.", { mutability: "readOnly" }),
    ],
    { multiValued: true, mutability: "readOnly" },
  ),
  values("entitlements", "What the person is entitled to."),
  values("roles", "The roles of the person."),
  values("x509Certificates", "Certificates of the person.", { type: "binary", caseExact: true }),
];

export const enterpriseAttributes: readonly Attribute[] = [
  attribute("employeeNumber", "The number of the employee."),
  attribute("costCenter", "The cost centre."),
  attribute("organization", "The organisation."),
  attribute("division", "The division."),
  attribute("department", "The department."),
  complex("manager", "The manager.", [
    attribute("value", "The id of the manager.", { caseExact: true }),
    attribute("$ref", "The address of the manager.", { type: "reference", referenceTypes: ["User"], caseExact: true }),
    attribute("displayName", "The name of the manager."),
  ]),
];

export const groupAttributes: readonly Attribute[] = [
  attribute("displayName", "The name of the group.", { required: true }),
  complex(
    "members",
    "The people in the group.",
    [
      attribute("value", "The id of the person.", { mutability: "immutable", caseExact: true }),
      attribute("$ref", "The address of the person.", {
        type: "reference",
        referenceTypes: ["User"],
        mutability: "immutable",
        caseExact: true,
      }),
      attribute("display", "The name of the person.", { mutability: "readOnly" }),
      attribute("type", "User.", { mutability: "immutable" }),
    ],
    { multiValued: true },
  ),
];

/** The attributes that every resource has. They belong to no schema (RFC 7643 section 3.1). */
const commonAttributes: readonly Attribute[] = [
  attribute("schemas", "The URNs of the schemas of the resource.", {
    type: "reference",
    referenceTypes: ["external"],
    multiValued: true,
    mutability: "readOnly",
    returned: "always",
  }),
  attribute("id", "Our id.", { caseExact: true, mutability: "readOnly", returned: "always", uniqueness: "server" }),
  attribute("externalId", "The provider's own id.", { caseExact: true }),
  complex(
    "meta",
    "Metadata of the resource, kept by the service.",
    [
      attribute("resourceType", "User or Group.", { caseExact: true, mutability: "readOnly" }),
      attribute("created", "When it was created.", { type: "dateTime", mutability: "readOnly" }),
      attribute("lastModified", "When it was last changed.", { type: "dateTime", mutability: "readOnly" }),
      attribute("location", "Its address.", { type: "reference", caseExact: true, mutability: "readOnly" }),
      attribute("version", "Its ETag.", { caseExact: true, mutability: "readOnly" }),
    ],
    { mutability: "readOnly" },
  ),
];

/** A kind of resource with its attributes: of its own schema, and of the extensions that we know. */
export interface ResourceSchema {
  name: "User" | "Group";
  urn: string;
  description: string;
  own: readonly Attribute[];
  core: readonly Attribute[];
  extensions: readonly { urn: string; name: string; description: string; attributes: readonly Attribute[] }[];
}

export const userSchema: ResourceSchema = {
  name: "User",
  urn: userUrn,
  description: "A person",
  own: userAttributes,
  core: [...commonAttributes, ...userAttributes],
  extensions: [
    { urn: enterpriseUrn, name: "EnterpriseUser", description: "An employee", attributes: enterpriseAttributes },
  ],
};

export const groupSchema: ResourceSchema = {
  name: "Group",
  urn: groupUrn,
  description: "A group of people",
  own: groupAttributes,
  core: [...commonAttributes, ...groupAttributes],
  extensions: [],
};

/** Finds an attribute by its name in any case (RFC 7643 section 2.1). */
export function findAttribute(among: readonly Attribute[], name: string): Attribute | undefined {
  const lower = name.toLowerCase();
  return among.find((each) => each.name.toLowerCase() === lower);
}

/**
 * The known extension that an attribute without a URN belongs to: providers leave it out. None if the schema itself has
 * an attribute of that name, or several extensions have one.
 */
export function extensionWith(schema: ResourceSchema, name: string): ResourceSchema["extensions"][number] | undefined {
  if (findAttribute(schema.core, name)) return undefined;
  const found = schema.extensions.filter(({ attributes }) => findAttribute(attributes, name));
  return found.length === 1 ? found[0] : undefined;
}

/** The canonical URN of a known extension, else the URN as it was sent. */
export function extensionOf(
  schema: ResourceSchema,
  urn: string,
): { urn: string; attributes: readonly Attribute[] | null } {
  const lower = urn.toLowerCase();
  const known = schema.extensions.find((each) => each.urn.toLowerCase() === lower);
  return known ?? { urn, attributes: null };
}
