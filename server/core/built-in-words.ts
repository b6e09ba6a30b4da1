import { languageOf } from "./languages";

const german = {
  Membership: "Mitgliedschaft",
  Employee: "Dienstausweis",
  Student: "Studienausweis",
  Certificate: "Urkunde",
  "This certifies that": "Hiermit wird bescheinigt:",
  "the holder of this credential": "Inhaber/in dieses Nachweises",
  "has been awarded": "wurde verliehen:",
  "Back of {title}, issued by {issuer} to {holder}": "Rückseite von {title}, ausgestellt von {issuer} für {holder}",
  "{title}, issued by {issuer} to {holder}": "{title}, ausgestellt von {issuer} für {holder}",
  "its holder": "Inhaber/in",
  "Name of the holder": "Name",
  Valid: "Gültig",
  "Valid again": "Wieder gültig",
  "Not valid": "Nicht gültig",
  "Not yet valid": "Noch nicht gültig",
  Suspended: "Ausgesetzt",
  Expired: "Abgelaufen",
  Revoked: "Widerrufen",
  Replaced: "Ersetzt",
  "Valid through": "Gültig bis",
  Status: "Status",
  "Issued by": "Ausgestellt von",
  Code: "Code",
  Yes: "Ja",
  No: "Nein",
  "Check it": "Prüfen",
  "Awarded on": "Verliehen am",
  "Certificate number": "Nummer der Urkunde",
  Credits: "Leistungspunkte",
  "Not printed here": "Hier nicht gedruckt",
  "{n} more; see the address below": "{n} weitere; siehe die Adresse unten",
  "Scan the code or open the address to see whether this is valid today. The signed credential is attached to this file.":
    "Scannen Sie den Code oder öffnen Sie die Adresse, um zu sehen, ob die Urkunde heute gültig ist. Der signierte Nachweis ist dieser Datei beigefügt.",
  "{name} (name not confirmed)": "{name} (Name nicht bestätigt)",
  "Open the link to see whether it is valid": "Öffnen Sie den Link, um die Gültigkeit zu prüfen",
} as const;

/** The built-in English words on cards, certificates, pictures and wallet passes. */
export type BuiltInWord = keyof typeof german;

/**
 * Returns built-in words for holders in the language of a locale: German, or else English (decision 601). `{name}` is a
 * placeholder.
 */
export function builtInWord(
  english: BuiltInWord,
  locale: string,
  values: Record<string, string | number> = {},
): string {
  const text: string = languageOf(locale) === "de" ? german[english] : english;
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
