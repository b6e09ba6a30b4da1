/** The pages of the documentation, in the order of reading. */
export const guides = [
  { href: "/docs", label: "Quick start" },
  { href: "/docs/authentication", label: "Authentication" },
  { href: "/docs/states", label: "States of a credential" },
  { href: "/docs/rules", label: "Groups and rules" },
  { href: "/docs/connectors", label: "Connectors" },
  { href: "/docs/policies", label: "Policies" },
  { href: "/docs/academic", label: "Academic credentials" },
  { href: "/docs/claims", label: "Claim links" },
  { href: "/docs/holders", label: "The holder’s home" },
  { href: "/docs/templates", label: "Template designs" },
  { href: "/docs/photos", label: "Photos" },
  { href: "/docs/messages", label: "E-mails to holders" },
  { href: "/docs/wallets", label: "Phone wallets" },
  { href: "/docs/offline", label: "Without a connection" },
  { href: "/docs/issuer", label: "Keys and status lists" },
  { href: "/docs/webhooks", label: "Webhooks" },
  { href: "/docs/idempotency", label: "Idempotency" },
  { href: "/docs/pagination", label: "Lists and pages" },
  { href: "/docs/errors", label: "Errors" },
  { href: "/docs/versioning", label: "Versioning" },
] as const;

export const reference = { href: "/docs/reference", label: "API reference" } as const;
