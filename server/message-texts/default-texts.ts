import { languageNamed, type Language } from "@/server/core/languages";
import { german } from "./german-texts";
import type { BuiltInTexts, MessageText } from "./texts";
import type { TextKind } from "./kinds";

const page = "This is its page:\n\n{{link}}";
const mistake = "If you think that this is a mistake, ask {{issuer}}.";

const texts: Record<TextKind, MessageText> = {
  confirm_name: {
    subject: "Confirm your name for “{{title}}”",
    body: `Dear {{name}},

{{issuer}} will issue “{{title}}” to you as soon as you confirm that your name is right. Open this page, look at the name, and confirm it or ask for a correction:

{{link}}

The link works through {{expires}}. It is for you alone.`,
  },
  issued: {
    subject: "Your credential “{{title}}” is ready",
    body: `Dear {{name}},

{{issuer}} issued “{{title}}” to you.
It becomes valid {{validFrom}}.
It is valid through {{expires}}.

This is its page. Keep the link. Everyone you show it to can check there whether the credential is valid.

{{link}}`,
  },
  suspended: {
    subject: "Your credential “{{title}}” is suspended",
    body: `Dear {{name}},

{{issuer}} suspended “{{title}}”. Until it is resumed, everyone who checks it sees that it is not valid.
Reason: {{reason}}

${mistake}

${page}`,
  },
  resumed: {
    subject: "Your credential “{{title}}” is valid again",
    body: `Dear {{name}},

{{issuer}} resumed “{{title}}”: it is valid again.
It is valid through {{expires}}.

${page}`,
  },
  revoked: {
    subject: "Your credential “{{title}}” was revoked",
    body: `Dear {{name}},

{{issuer}} revoked “{{title}}”. It is no longer valid and cannot become valid again.
Reason: {{reason}}

${mistake}

${page}`,
  },
  expiring: {
    subject: "Your credential “{{title}}” expires soon",
    body: `Dear {{name}},

“{{title}}” from {{issuer}} is valid through {{expires}}.

${page}`,
  },
  expiry_changed: {
    subject: "Your credential “{{title}}” has a new expiry date",
    body: `Dear {{name}},

{{issuer}} changed the expiry date of “{{title}}”.
It is now valid through {{expires}}.

${page}`,
  },
};

const english: BuiltInTexts = {
  texts,
  plainSubjects: {
    confirm_name: "Confirm your name",
    issued: "Your credential is ready",
    suspended: "Your credential is suspended",
    resumed: "Your credential is valid again",
    revoked: "Your credential was revoked",
    expiring: "Your credential expires soon",
    expiry_changed: "Your credential has a new expiry date",
  },
  issuer: "the organisation",
  allInOnePlace: "All your credentials in one place",
  openCredential: "Open the credential",
  lookAtName: "Look at my name",
  sentBy:
    "Bonafide sent this message on behalf of {issuer}. If you do not know this organisation, you can ignore the message.",
  noReplies: "Nobody reads replies to this message.",
};

const inLanguage: Record<Language, BuiltInTexts> = { en: english, de: german };

/** The language of the built-in texts for an organisation's locale; English if there are none in its language. */
export const languageOfTexts = (locale: string): Language => languageNamed(locale.slice(0, 2).toLowerCase()) ?? "en";

/**
 * The texts of messages if neither the template nor the organisation has its own, in the language of the organisation
 * (docs/decisions/504).
 */
export const builtInTexts = (locale: string): BuiltInTexts => inLanguage[languageOfTexts(locale)];
