import type { BuiltInTexts } from "./texts";

const page = "Das ist die Seite des Nachweises:\n\n{{link}}";
const mistake = "Wenn Sie das für einen Irrtum halten, fragen Sie {{issuer}}.";

/** The built-in German texts of messages. */
export const german: BuiltInTexts = {
  texts: {
    confirm_name: {
      subject: "Bestätigen Sie Ihren Namen für „{{title}}“",
      body: `Guten Tag {{name}},

{{issuer}} stellt Ihnen „{{title}}“ aus, sobald Sie bestätigen, dass Ihr Name stimmt. Öffnen Sie diese Seite, sehen Sie sich den Namen an, und bestätigen Sie ihn, oder bitten Sie um eine Korrektur:

{{link}}

Der Link gilt bis einschließlich {{expires}}. Er ist nur für Sie bestimmt.`,
    },
    issued: {
      subject: "Ihr Nachweis „{{title}}“ ist da",
      body: `Guten Tag {{name}},

{{issuer}} hat Ihnen „{{title}}“ ausgestellt.
Gültig ab: {{validFrom}}.
Gültig bis einschließlich {{expires}}.

Das ist die Seite des Nachweises. Bewahren Sie den Link auf. Wem Sie ihn zeigen, der kann dort prüfen, ob der Nachweis gültig ist.

{{link}}`,
    },
    suspended: {
      subject: "Ihr Nachweis „{{title}}“ ist ausgesetzt",
      body: `Guten Tag {{name}},

{{issuer}} hat „{{title}}“ ausgesetzt. Bis das aufgehoben ist, sieht jeder bei einer Prüfung, dass der Nachweis nicht gültig ist.
Grund: {{reason}}

${mistake}

${page}`,
    },
    resumed: {
      subject: "Ihr Nachweis „{{title}}“ ist wieder gültig",
      body: `Guten Tag {{name}},

{{issuer}} hat die Aussetzung von „{{title}}“ aufgehoben: Der Nachweis ist wieder gültig.
Gültig bis einschließlich {{expires}}.

${page}`,
    },
    revoked: {
      subject: "Ihr Nachweis „{{title}}“ wurde widerrufen",
      body: `Guten Tag {{name}},

{{issuer}} hat „{{title}}“ widerrufen. Der Nachweis ist nicht mehr gültig und kann nicht wieder gültig werden.
Grund: {{reason}}

${mistake}

${page}`,
    },
    expiring: {
      subject: "Ihr Nachweis „{{title}}“ läuft bald ab",
      body: `Guten Tag {{name}},

„{{title}}“ von {{issuer}} ist gültig bis einschließlich {{expires}}.

${page}`,
    },
    expiry_changed: {
      subject: "Ihr Nachweis „{{title}}“ hat ein neues Ablaufdatum",
      body: `Guten Tag {{name}},

{{issuer}} hat das Ablaufdatum von „{{title}}“ geändert.
Gültig bis einschließlich {{expires}}.

${page}`,
    },
  },
  plainSubjects: {
    confirm_name: "Bestätigen Sie Ihren Namen",
    issued: "Ihr Nachweis ist da",
    suspended: "Ihr Nachweis ist ausgesetzt",
    resumed: "Ihr Nachweis ist wieder gültig",
    revoked: "Ihr Nachweis wurde widerrufen",
    expiring: "Ihr Nachweis läuft bald ab",
    expiry_changed: "Ihr Nachweis hat ein neues Ablaufdatum",
  },
  issuer: "die Organisation",
  allInOnePlace: "Alle Ihre Nachweise an einem Ort",
  openCredential: "Nachweis öffnen",
  lookAtName: "Meinen Namen ansehen",
  sentBy:
    "Bonafide hat diese Nachricht im Auftrag von {issuer} gesendet. Wenn Sie diese Organisation nicht kennen, können Sie die Nachricht ignorieren.",
  noReplies: "Antworten auf diese Nachricht liest niemand.",
};
