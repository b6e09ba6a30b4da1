import type { Words } from "../../words";

/**
 * Sentences about credentials of other issuers (server/standards/verify, server/verification/foreign-view.ts), which
 * only /verify shows.
 */
export const foreignSentences: Words = {
  "The issuer has a newer version of it.": "Der Aussteller hat eine neuere Fassung davon.",
  "The registry “{registry}” lists this issuer as {issuer}, as of {day}.":
    "Das Verzeichnis „{registry}“ führt diesen Aussteller als {issuer}, Stand {day}.",
  "The registry “{registry}” lists this issuer as {issuer}, as of {day}. The issuer calls itself {own}.":
    "Das Verzeichnis „{registry}“ führt diesen Aussteller als {issuer}, Stand {day}. Der Aussteller nennt sich selbst {own}.",
  "The registry “{registry}” does not list this issuer, as of {day}.":
    "Das Verzeichnis „{registry}“ führt diesen Aussteller nicht, Stand {day}.",
  "The registry “{registry}” could not be read, so whether it lists this issuer is not known.":
    "Das Verzeichnis „{registry}“ war nicht lesbar. Ob es diesen Aussteller führt, ist nicht bekannt.",
  "{why} The file alone proves nothing any more. Ask its holder for the page or the code of the credential, or for a new file.":
    "{why} Die Datei allein beweist nichts mehr. Bitten Sie um die Seite oder den Code des Nachweises oder um eine neue Datei.",
};
