/** The groups of operations in the order of the reference, by the segment of the path after /v1 (or the first one). */
const groups = {
  me: ["Me", "Who the token is, and what it may do."],
  organisation: ["Organisation", "The organisation that the token belongs to: its name, time zone and locale."],
  subjects: ["Subjects", "The people that hold credentials, under the ids of your own systems."],
  groups: [
    "Groups",
    "Cohorts of people: a class, a department, an intake. Their members are added, or follow from a rule.",
  ],
  achievements: [
    "Achievements",
    "What a degree, course or badge is for: the achievements that academic credentials state, as Open Badges 3.0 has them.",
  ],
  templates: [
    "Templates",
    "What a kind of credential looks like, what it shows and how long it is valid. Published versions never change.",
  ],
  credentials: ["Credentials", "Issue, change, suspend, resume, revoke and reissue."],
  messages: ["Messages", "E-mails to holders: waiting, sent, and not delivered."],
  issuer: ["Issuer", "Your organisation as an issuer of academic credentials: its DID and its keys."],
  bulk: ["Bulk jobs", "Large sets that are worked on in the background, row by row."],
  photo_imports: ["Photo imports", "Archives of photos, whose files are named by external id."],
  connectors: ["Connectors", "Feeds of people: their mapping, files and runs, and changes that wait for approval."],
  claim_links: [
    "Claim links",
    "Links under which people get a credential themselves: they prove an address and fill in what the card shows.",
  ],
  claims: ["Claims", "What people entered under claim links, and what waits for approval."],
  name_confirmations: [
    "Names to confirm",
    "Holders of a template with confirmName who have to confirm their name, before their credential is issued.",
  ],
  name_requests: ["Name requests", "Holders who ask for another name at their home page, and what became of it."],
  policies: ["Policies", "Who holds a credential: rules, previews, runs, and runs that wait for approval."],
  verify: ["Verification", "Verify with a token: the answer tells your organisation more than the public one."],
  public: [
    "Public verification",
    "Anyone may verify a credential, and read the keys and status lists of its issuer. No token; open to scripts of every site.",
  ],
  events: ["Events", "The log of all that happened: without gaps, in order."],
  webhook_endpoints: ["Webhook endpoints", "Where signed events are sent to, and how that goes."],
  webhook_deliveries: ["Webhook deliveries", "Each event on its way to each endpoint, with its attempts."],
  webhook_event_types: ["Webhook event types", "The types that there are, each with a sample."],
  webhook_queue: ["Webhook queue", "What waits to be sent."],
  webhook_statistics: ["Webhook statistics", "How deliveries went, hour by hour."],
  oauth: [
    "OAuth",
    "Access tokens for 15 minutes from client credentials (RFC 6749), their end (RFC 7009) and what they stand for (RFC 7662).",
  ],
  webhooks: ["Events sent to you", "What your endpoints receive: one signed POST for each event."],
} as const;

export const tags = Object.values(groups).map(([name, description]) => ({ name, description }));

/** Returns the group of an operation. @throws Error if the path begins with a segment that has no group. */
export function tagOf(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  const key = first === "v1" ? second : first;
  if (!Object.hasOwn(groups, key)) throw new Error(`server/http/openapi/tags.ts has no group for ${path}`);
  return groups[key as keyof typeof groups][0];
}

export const webhookTag = groups.webhooks[0];
