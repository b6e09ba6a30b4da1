import { z } from "zod";
import { changesDirection, holdsInvisible, looksEmpty } from "@/server/core/deceptive-text";
import { emailAddress } from "@/server/core/email-address";
import { line, wholeNumber } from "@/server/core/input";
import type { MessageText } from "./texts";
import { automaticKinds, defaultExpiringDays, mostExpiringDays, type AutomaticKind } from "./kinds";
import { placeholderProblem, placeholders } from "./placeholders";

/** The most characters of a body. */
export const maxBody = 5000;

const list = Object.keys(placeholders)
  .map((name) => `{{${name}}}`)
  .join(", ");

const knownPlaceholders = (value: string, issue: z.core.$RefinementCtx<string>) => {
  const message = placeholderProblem(value);
  if (message) issue.addIssue({ code: "custom", message });
};

const body = z
  .string()
  .transform((text) => text.replaceAll(/\r\n?/g, "\n").trim())
  .pipe(
    z
      .string()
      .min(1, "must not be empty")
      .max(maxBody)
      .regex(/^(?:[^\p{Cc}]|\n)*$/u, "must not contain control characters")
      .refine(
        (text) => !changesDirection(text),
        "must not contain invisible characters that change the direction of the text; type it again without them",
      )
      .refine(
        (text) => !holdsInvisible(text),
        "must not contain invisible characters such as a zero-width space; type it again without them",
      )
      .refine((text) => !looksEmpty(text), "must contain something that can be seen")
      .superRefine(knownPlaceholders),
  );

export const messageText = z.strictObject({
  subject: line(150).min(1, "must not be empty").superRefine(knownPlaceholders),
  body,
});

const texts = z.strictObject(
  Object.fromEntries(automaticKinds.map((kind) => [kind, messageText.nullable().optional()])) as Record<
    AutomaticKind,
    z.ZodOptional<z.ZodNullable<typeof messageText>>
  >,
);

const senderName = line(60)
  .min(1, "must not be empty")
  .refine((name) => !/[<>@:/\\"]/.test(name), 'must not contain < > @ : / \\ or "; it is a name, not an address')
  .meta({ description: 'The name of the sender. It must not contain < > @ : / \\ or ".' })
  .nullable();

/** The message settings that organisations and templates share. In a change, an absent field stays and null removes it. */
export const messageDefaults = z.strictObject({
  senderName: senderName.optional(),
  replyTo: emailAddress.nullable().optional(),
  texts: texts.optional(),
});

/** The message settings of a template. */
export const messageSettings = messageDefaults.extend({
  automatic: z
    .array(z.enum(automaticKinds))
    .max(automaticKinds.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, "must not name a kind twice")
    .optional(),
  expiringDays: wholeNumber(1, mostExpiringDays).optional(),
});

export type MessageDefaultsInput = z.output<typeof messageDefaults>;
export type MessageSettingsInput = z.output<typeof messageSettings>;

const textView = z.object({ subject: z.string(), body: z.string() });

export const messageDefaultsSchema = z.object({
  senderName: z.string().nullable().meta({
    description: "The sender's name that mail programs show. The sender's address is always that of the service.",
  }),
  replyTo: z.string().nullable().meta({ description: "The address for replies of holders." }),
  texts: z
    .object(
      Object.fromEntries(automaticKinds.map((kind) => [kind, textView.optional()])) as Record<
        AutomaticKind,
        z.ZodOptional<typeof textView>
      >,
    )
    .meta({
      description: `The texts that differ from the default, by kind: plain text with the placeholders ${list}. A line whose placeholder has no value is left out; blank lines separate paragraphs. In a change, null for a kind removes its text.`,
    }),
});

export const messageSettingsSchema = messageDefaultsSchema.extend({
  automatic: z.array(z.enum(automaticKinds)).meta({
    description:
      "The kinds of messages that are sent to holders automatically. None unless named. A person who is inactive or has no e-mail address gets none.",
  }),
  expiringDays: z.int().meta({
    description: `How many days before a credential expires its holder gets the message expiring: 1 to ${mostExpiringDays}, ${defaultExpiringDays} unless sent.`,
  }),
});

/** The settings as stored in the database; fields without a value are absent. */
export interface StoredMessages {
  senderName?: string;
  replyTo?: string;
  texts?: Partial<Record<AutomaticKind, MessageText>>;
}

/** Applies a change to the stored settings. */
export function mergeMessages(stored: StoredMessages, change: MessageDefaultsInput): StoredMessages {
  const next: StoredMessages = { ...stored };
  for (const field of ["senderName", "replyTo"] as const) {
    const value = change[field];
    if (value === null) delete next[field];
    else if (value !== undefined) next[field] = value;
  }
  if (change.texts) {
    const all = Object.entries({ ...stored.texts, ...change.texts }).filter(([, text]) => text);
    next.texts = Object.fromEntries(all) as NonNullable<StoredMessages["texts"]>;
  }
  return next;
}

export const messagesView = (stored: StoredMessages): z.output<typeof messageDefaultsSchema> => ({
  senderName: stored.senderName ?? null,
  replyTo: stored.replyTo ?? null,
  texts: stored.texts ?? {},
});
