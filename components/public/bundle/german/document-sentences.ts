import type { Words } from "../../words";

/**
 * Sentences about submitted documents and files (server/verification, server/standards). The first matching pattern is
 * used, so a longer sentence comes before one that is its beginning. `{why}` is itself a sentence.
 */
export const documentSentences: Words = {
  // Files and texts that contain no credential.
  "There is nothing in it: it is empty.": "Es ist leer.",
  "The text is neither JSON nor a JWT.": "Der Text ist weder JSON noch ein JWT.",
  "The JSON is not an object.": "Das JSON ist kein Objekt.",
  "This is too long to be checked here: a credential may have 1 MB, pictures in it included.":
    "Das ist zu lang, um hier geprüft zu werden: Ein Nachweis darf samt Bildern 1 MB haben.",
  "This is an Open Badge of version 2.0 or earlier. It is not signed in a way that can be checked here: follow its link to the issuer’s own page, which says whether it holds.":
    "Das ist ein Open Badge der Version 2.0 oder älter. Seine Signatur lässt sich hier nicht prüfen: Folgen Sie seinem Link zur Seite des Ausstellers. Dort steht, ob er gilt.",
  "This is an SD-JWT credential, which wallets show. It cannot be checked here.":
    "Das ist ein SD-JWT-Nachweis, wie Wallets ihn zeigen. Er lässt sich hier nicht prüfen.",
  "This is a presentation, the envelope in which a wallet hands over credentials. Choose the credential within it.":
    "Das ist eine Präsentation, der Umschlag, in dem eine Wallet Nachweise übergibt. Wählen Sie den Nachweis darin.",
  "This is a photo or a picture that cannot hold a credential: only a PNG or an SVG can.":
    "Das ist ein Foto oder ein Bild, das keinen Nachweis enthalten kann: Nur PNG und SVG können das.",
  "This is a packed file, such as a ZIP or a document of an office program.":
    "Das ist eine gepackte Datei, zum Beispiel ein ZIP oder ein Dokument eines Büroprogramms.",
  "This file is no picture (PNG or SVG), no PDF and no text in UTF-8. If it is a text, save it as UTF-8 and choose it again.":
    "Diese Datei ist kein Bild (PNG oder SVG), kein PDF und kein Text in UTF-8. Wenn es ein Text ist, speichern Sie ihn als UTF-8, und wählen Sie ihn erneut.",
  "The picture holds no credential. Perhaps it was saved anew or sent as a photo, which removes it.":
    "Das Bild enthält keinen Nachweis. Vielleicht wurde es neu gespeichert oder als Foto verschickt; dabei geht er verloren.",
  "The picture holds no credential. Perhaps it was saved anew, which removes it.":
    "Das Bild enthält keinen Nachweis. Vielleicht wurde es neu gespeichert; dabei geht er verloren.",
  "The picture holds more than one credential.": "Das Bild enthält mehr als einen Nachweis.",
  "More than one signed credential is attached to this PDF.": "An diesem PDF hängt mehr als ein signierter Nachweis.",
  "No signed credential is attached to this PDF. Perhaps it was printed or scanned, which removes it. Enter the certificate number that stands on it, scan its QR code, or choose the file credential.json.":
    "An diesem PDF hängt kein signierter Nachweis. Vielleicht wurde es gedruckt oder gescannt; dabei geht er verloren. Geben Sie die Nummer ein, die darauf steht, scannen Sie den QR-Code, oder wählen Sie die Datei credential.json.",
  "Checking it took longer than is allowed, so it was stopped. Nothing is known about it.":
    "Die Prüfung dauerte länger als erlaubt und wurde abgebrochen. Darüber ist nichts bekannt.",
  "Checking it took more memory than is allowed, or failed in another way, so it was stopped. Nothing is known about it.":
    "Die Prüfung brauchte mehr Speicher als erlaubt oder schlug anders fehl und wurde abgebrochen. Darüber ist nichts bekannt.",

  // Signature and issuer.
  "A W3C verifiable credential as a signed token.": "Ein W3C Verifiable Credential als signiertes Token.",
  "A W3C verifiable credential.": "Ein W3C Verifiable Credential.",
  "The issuer is {issuer}. Its keys were found there.":
    "Der Aussteller ist {issuer}. Seine Schlüssel wurden dort gefunden.",
  "Signed by its issuer, and unchanged since.": "Vom Aussteller signiert und seither unverändert.",
  "The signature does not fit the content: it was changed after it was signed, or signed by somebody else.":
    "Die Signatur passt nicht zum Inhalt: Er wurde nach dem Signieren verändert oder von jemand anderem signiert.",
  "It was altered: this service never signs what it holds. {why}":
    "Es wurde verändert: Dieser Dienst signiert nie, was darin steht. {why}",
  "Its id is the address of a credential of this service, but another issuer signed it. It is not the document of that credential.":
    "Seine Kennung ist die Adresse eines Nachweises dieses Dienstes, aber ein anderer Aussteller hat es signiert. Es ist nicht das Dokument dieses Nachweises.",
  "Somebody altered it: what it says of the achievement is not what was issued. Check the code of the credential, or ask its holder for a new file.":
    "Jemand hat es verändert: Was es über die Leistung sagt, wurde so nicht ausgestellt. Prüfen Sie den Code des Nachweises, oder bitten Sie um eine neue Datei.",
  "The issuer's key was revoked on {day}.": "Der Schlüssel des Ausstellers wurde am {day} widerrufen.",
  "The issuer's key expired on {day}.": "Der Schlüssel des Ausstellers ist am {day} abgelaufen.",
  "The operator of this service has confirmed that the organisation is {issuer}.":
    "Der Betreiber dieses Dienstes hat bestätigt, dass die Organisation {issuer} ist.",
  "The key that signed is the one that {domain} publishes, so whoever runs {same} issued it. The key does not prove the issuer’s name.":
    "Signiert hat der Schlüssel, den {domain} veröffentlicht, also hat ausgestellt, wer {same} betreibt. Den Namen des Ausstellers beweist der Schlüssel nicht.",
  "The key that signed is published at an address on {host}. Whoever writes there issued it, and need not speak for {same}. The key does not prove the issuer’s name.":
    "Der Schlüssel ist unter einer Adresse auf {host} veröffentlicht. Ausgestellt hat, wer dort schreibt; das muss nicht für {same} sprechen. Den Namen des Ausstellers beweist der Schlüssel nicht.",
  "The issuer is named by its key alone. Anyone can make such a key and give it any name, so the key does not show whose it is.":
    "Der Aussteller ist nur durch seinen Schlüssel benannt. Jeder kann einen solchen Schlüssel erzeugen und beliebig nennen. Wem er gehört, zeigt er nicht.",
  "An organisation of this service signed it, but its id is not that of a credential of this organisation. Only its signature, its dates and its status list are known.":
    "Eine Organisation dieses Dienstes hat es signiert, aber seine Kennung ist keine eines ihrer Nachweise. Bekannt sind nur Signatur, Daten und Statusliste.",
  "Not looked at, since the issuer's key could not be found.":
    "Nicht geprüft, weil der Schlüssel des Ausstellers nicht gefunden wurde.",
  "Not looked at, since who issued it is not certain.": "Nicht geprüft, weil nicht sicher ist, wer es ausgestellt hat.",
  "Not looked at, since no key of the issuer is known to have signed it.":
    "Nicht geprüft, weil kein Schlüssel des Ausstellers bekannt ist, der es signiert hat.",
  "Its issuer was not looked at, since nobody signed it.":
    "Der Aussteller wurde nicht geprüft, weil niemand es signiert hat.",
  "The name of its issuer was not looked at, since nobody signed it.":
    "Der Name des Ausstellers wurde nicht geprüft, weil niemand es signiert hat.",
  "Its terms were not looked at, since nobody signed it.":
    "Die Begriffe wurden nicht geprüft, weil niemand es signiert hat.",
  "Its dates were not looked at, since nobody signed it.":
    "Die Daten wurden nicht geprüft, weil niemand es signiert hat.",
  "Whether it was revoked was not looked at, since nobody signed it.":
    "Ob es widerrufen wurde, wurde nicht geprüft, weil niemand es signiert hat.",

  // Content, holder and end.
  "Every term is one that its vocabularies define.": "Jeder Begriff ist in seinen Vokabularen definiert.",
  "It names two different things by one id, {id}. The signature does not tell which statement is about which of them, so somebody may have moved or swapped them. Ask the issuer what it issued.":
    "Es benennt zwei verschiedene Dinge mit derselben Kennung, {id}. Die Signatur sagt nicht, welche Aussage zu welchem gehört; jemand kann sie verschoben oder vertauscht haben. Fragen Sie den Aussteller, was er ausgestellt hat.",
  "Its issuer signed {count} credentials in it, and the signature does not tell which of them the file is. Ask the issuer what it issued.":
    "Der Aussteller hat darin {count} Nachweise signiert, und die Signatur sagt nicht, welcher davon die Datei ist. Fragen Sie den Aussteller, was er ausgestellt hat.",
  "Its {name}, as its issuer signed it, is not a date and time with a time zone.":
    "{name} ist, wie der Aussteller es signiert hat, kein Zeitpunkt mit Zeitzone.",
  "It states {what}. Not all that it says is shown here: only the first is. Read the document itself before you rely on the others.":
    "Es nennt mehr, als hier gezeigt wird ({what}): nur das erste. Lesen Sie das Dokument selbst, bevor Sie sich auf anderes verlassen.",
  "The record was corrected after this file was signed: {what}. Only the record counts. Ask the holder for a new file.":
    "Der Eintrag wurde berichtigt, nachdem diese Datei signiert wurde: {what}. Nur der Eintrag zählt. Bitten Sie um eine neue Datei.",
  "Was valid until {time}. Only this file ended: the credential was extended since, and is valid through {day}. Ask its holder for a new file, or check its code.":
    "War gültig bis {time}. Nur diese Datei ist abgelaufen: Der Nachweis wurde seither verlängert und gilt bis einschließlich {day}. Bitten Sie um eine neue Datei, oder prüfen Sie den Code.",
  "Was valid until {time}. Only this file ended: the credential was extended since, and is valid without an end. Ask its holder for a new file, or check its code.":
    "War gültig bis {time}. Nur diese Datei ist abgelaufen: Der Nachweis wurde seither verlängert und gilt unbefristet. Bitten Sie um eine neue Datei, oder prüfen Sie den Code.",
  "Was valid until {time}.": "War gültig bis {time}.",
  "Valid until {time}.": "Gültig bis {time}.",
  "It names no holder, so nobody was compared with it.": "Es nennt niemanden, also wurde niemand damit verglichen.",
  "It names its holder by an id alone, so nobody was compared with it. Ask who handed it in to prove that the id is theirs.":
    "Es benennt die Person nur durch eine Kennung, also wurde niemand damit verglichen. Wer es vorlegt, muss zeigen, dass es die eigene Kennung ist.",
  "Its holder is named by a scrambled (hashed) identifier alone, so nobody was compared with it. Ask who handed it in to prove that it is theirs.":
    "Die Person ist nur durch eine verschlüsselte (gehashte) Kennung benannt, also wurde niemand damit verglichen. Wer es vorlegt, muss zeigen, dass es die eigene ist.",
  "It is about {n} subjects. Not all that it says is shown here: the facts are those of the first.":
    "Es handelt von {n} Personen oder Dingen. Hier steht nicht alles: Die Angaben sind die der ersten.",
  "This is a list in which an issuer says which of its credentials are revoked or suspended. It is nobody's credential, and says nothing for whoever handed it in.":
    "Das ist eine Liste, in der ein Aussteller sagt, welche seiner Nachweise widerrufen oder ausgesetzt sind. Es ist kein Nachweis einer Person und sagt nichts für die, die es vorlegt.",

  // Its status.
  "The issuer does not publish whether this credential was revoked.":
    "Der Aussteller veröffentlicht nicht, ob dieser Nachweis widerrufen wurde.",
  "Not revoked.": "Nicht widerrufen.",
  "Not suspended.": "Nicht ausgesetzt.",
  "Revoked by its issuer.": "Vom Aussteller widerrufen.",
  "Revoked by its issuer: {message}": "Vom Aussteller widerrufen: {message}",
  "Suspended by its issuer.": "Vom Aussteller ausgesetzt.",
  "Suspended by its issuer: {message}": "Vom Aussteller ausgesetzt: {message}",

  // A general sentence, followed by the reason.
  "The issuer's status list could not be checked. {why}":
    "Die Statusliste des Ausstellers konnte nicht geprüft werden. {why}",
  "The issuer's status list cannot be relied on. {why}": "Die Statusliste des Ausstellers ist nicht verlässlich. {why}",
  "The issuer's status list does not hold at this time. {why}":
    "Die Statusliste des Ausstellers gilt zurzeit nicht. {why}",
  "The file is not a PNG picture, or it is damaged.": "Die Datei ist kein PNG-Bild, oder sie ist beschädigt.",
  "The file is not an SVG picture, or it is damaged.": "Die Datei ist kein SVG-Bild, oder sie ist beschädigt.",
  "The file is not an SVG picture.": "Die Datei ist kein SVG-Bild.",
  "The SVG picture is too complex to be searched for a credential.":
    "Das SVG-Bild ist zu komplex, um darin nach einem Nachweis zu suchen.",
  "The credential in the picture is too long.": "Der Nachweis in dem Bild ist zu lang.",
  "The credential in the picture is compressed, which Open Badges does not allow.":
    "Der Nachweis in dem Bild ist komprimiert, was Open Badges nicht erlaubt.",
  "The text is too long for a credential: it may have 1 MB, pictures in it included.":
    "Der Text ist zu lang für einen Nachweis: Er darf samt Bildern 1 MB haben.",
  "The credential in the picture is cut off.": "Der Nachweis in dem Bild ist abgeschnitten.",
  "Its signature holds, but it breaks the rules of its format, so nobody can say for certain what it states. {why}":
    "Die Signatur stimmt, aber es verstößt gegen die Regeln seines Formats, deshalb ist nicht sicher, was es aussagt. {why}",
  "This cannot be read as a credential. {why}": "Das lässt sich nicht als Nachweis lesen. {why}",
  "The signature of this credential does not fit its content. {why}":
    "Die Signatur dieses Nachweises passt nicht zu seinem Inhalt. {why}",
  "The issuer of this credential cannot be identified. {why}":
    "Der Aussteller dieses Nachweises lässt sich nicht feststellen. {why}",
  "Whether this credential was revoked cannot be found out at the moment. {why}":
    "Ob dieser Nachweis widerrufen wurde, lässt sich im Moment nicht feststellen. {why}",

  // The labels of a document's content (documentFields).
  Description: "Beschreibung",
  Achievement: "Leistung",
  "Field of study": "Fachrichtung",
  Specialisation: "Spezialisierung",
  "Catalogue code": "Katalognummer",
  "Credits earned": "Erworbene Leistungspunkte",
  "Awarded on": "Verliehen am",
  Criteria: "Kriterien",
  Evidence: "Belege",
  "Holder's id": "Kennung der Person",
  "Credential id": "Kennung des Nachweises",
  Result: "Ergebnis",
  "Not shown": "Nicht gezeigt",
  "{label}, as the file states": "{label}, laut Datei",
};
