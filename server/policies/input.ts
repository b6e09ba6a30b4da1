import { z } from "zod";
import { id, line } from "@/server/core/input";
import { ruleInput } from "@/server/rules/input";
import { scheduleInput } from "@/server/core/schedule";

export const exits = ["suspend", "revoke", "none"] as const;
export const reentries = ["resume", "reissue"] as const;

const percent = z.int().min(0).max(100).meta({ description: "Of the policy's holders." });
const count = z.int().min(0).max(1_000_000).meta({ description: "Whatever percent says." });
const limit =
  "How many credentials the policy may suspend or revoke within 24 hours without a person: the lesser of the two, and always up to 5, unless nobody matches the rule any more.";

export const blastRadius = z
  .strictObject({ percent: percent.default(10), count: count.default(500) })
  .meta({ id: "PolicyBlastRadius", description: limit });

/** A change of the limit: with defaults, a request that lowers one member would raise the other. */
export const blastRadiusChange = z
  .strictObject({ percent: percent.optional(), count: count.optional() })
  .meta({ id: "PolicyBlastRadiusChange", description: `${limit} A member that is left out stays as it is.` });

export const renewal = z
  .strictObject({
    before: z
      .string()
      .regex(
        /^[1-9][0-9]{0,2}(?:h|d|w|mo)$/,
        "must be a whole number from 1 to 999 and a unit: h, d, w or mo, such as 30d",
      )
      .meta({ description: "How long before its expiry a credential is extended: 30d, 12h, 2w, 1mo." }),
  })
  .meta({ id: "PolicyRenewal" });

/** The members of a policy that callers can set. */
export const policyFields = {
  name: line(100).min(1, "must not be empty"),
  templateId: id("tpl"),
  groupId: id("grp").meta({ description: "Whoever is in the group holds a credential. Either this or rule." }),
  rule: ruleInput,
  onExit: z.enum(exits).meta({
    description: "What becomes of the credential of somebody who no longer matches.",
  }),
  reentry: z.enum(reentries).meta({
    description: "Whether somebody who matches again gets a suspended credential back, or a new one in its place.",
  }),
  graceDays: z.int().min(0).max(365).meta({ description: "Days before onExit takes effect." }),
  schedule: scheduleInput.nullable().meta({ description: "null: it runs only when asked to." }),
  blastRadius,
  renewal: renewal.nullable().meta({
    description: "Extends credentials whose holder still matches. For templates with a validity of type duration.",
  }),
};
