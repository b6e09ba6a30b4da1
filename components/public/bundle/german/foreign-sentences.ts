import type { Words } from "../../words";

/**
 * Sentences about credentials of other issuers (server/standards/verify, server/verification/foreign-view.ts), which
 * only /verify shows. Messages about errors in a document's form stay English, because they are for its author.
 */
export const foreignSentences: Words = {
  "Was valid until {moment}.": "War gültig bis {moment}.",
  "Valid until {moment}.": "Gültig bis {moment}.",
  "Revoked by its issuer: {reason}": "Vom Aussteller widerrufen: {reason}",
  "Suspended by its issuer: {reason}": "Vom Aussteller ausgesetzt: {reason}",
  "The issuer has a newer version of it.": "Der Aussteller hat eine neuere Fassung davon.",
  "The registry “{registry}” lists this issuer as {issuer}, as of {day}.":
    "Das Verzeichnis „{registry}“ führt diesen Aussteller als {issuer}, Stand {day}.",
  "The registry “{registry}” lists this issuer as {issuer}, as of {day}. The issuer calls itself {own}.":
    "Das Verzeichnis „{registry}“ führt diesen Aussteller als {issuer}, Stand {day}. Der Aussteller nennt sich selbst {own}.",
  "The registry “{registry}” does not list this issuer, as of {day}.":
    "Das Verzeichnis „{registry}“ führt diesen Aussteller nicht, Stand {day}.",
  "The registry “{registry}” could not be read, so whether it lists this issuer is not known.":
    "Das Verzeichnis „{registry}“ war nicht lesbar. Ob es diesen Aussteller führt, ist nicht bekannt.",
  "The operator of this service has confirmed that the organisation is {name}.":
    "Der Betreiber dieses Dienstes hat bestätigt, dass die Organisation {name} ist.",
  "This cannot be read as a credential. {detail}": "Das lässt sich nicht als Nachweis lesen. {detail}",
  "The signature of this credential does not fit its content. {detail}":
    "Die Signatur dieses Nachweises passt nicht zu seinem Inhalt. {detail}",
  "The issuer of this credential cannot be identified. {detail}":
    "Der Aussteller dieses Nachweises lässt sich nicht feststellen. {detail}",
  "Whether this credential was revoked cannot be found out at the moment. {detail}":
    "Ob dieser Nachweis widerrufen wurde, lässt sich im Moment nicht feststellen. {detail}",
  "{detail} The file alone proves nothing any more. Ask its holder for the page or the code of the credential, or for a new file.":
    "{detail} Die Datei allein beweist nichts mehr. Bitten Sie um die Seite oder den Code des Nachweises oder um eine neue Datei.",
};
