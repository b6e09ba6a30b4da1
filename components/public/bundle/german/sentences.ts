import type { Words } from "../../words";

/** Sentences of the service about a decision (server/verification). The first matching pattern is used. */
export const sentences: Words = {
  "Erased at the holder's request": "Auf Wunsch der Person gelöscht",
  "This credential was replaced by a newer one, {code}.": "Dieser Nachweis wurde durch einen neueren ersetzt, {code}.",
  "This credential was replaced by a newer one, {code}: {reason}":
    "Dieser Nachweis wurde durch einen neueren ersetzt, {code}: {reason}",
  "This credential was replaced by a newer one.": "Dieser Nachweis wurde durch einen neueren ersetzt.",
  "This credential was replaced by a newer one: {reason}":
    "Dieser Nachweis wurde durch einen neueren ersetzt: {reason}",
  "This credential was revoked by its issuer on {day}: {reason}":
    "Dieser Nachweis wurde am {day} vom Aussteller widerrufen: {reason}",
  "This credential was revoked by its issuer on {day}.": "Dieser Nachweis wurde am {day} vom Aussteller widerrufen.",
  "This credential was revoked by its issuer: {reason}": "Dieser Nachweis wurde vom Aussteller widerrufen: {reason}",
  "This credential is suspended by its issuer since {day}: {reason}":
    "Dieser Nachweis ist seit dem {day} vom Aussteller ausgesetzt: {reason}",
  "This credential is suspended by its issuer since {day}.":
    "Dieser Nachweis ist seit dem {day} vom Aussteller ausgesetzt.",
  "This credential has expired. It was valid through {day}.":
    "Dieser Nachweis ist abgelaufen. Er war bis einschließlich {day} gültig.",
  "This credential has expired.": "Dieser Nachweis ist abgelaufen.",
  "This credential is not valid before {day}.": "Dieser Nachweis ist vor dem {day} nicht gültig.",
  "This cannot be read as a credential.": "Das lässt sich nicht als Nachweis lesen.",
  "The signature of this credential does not fit its content.":
    "Die Signatur dieses Nachweises passt nicht zu seinem Inhalt.",
  "This document is not signed: it has no proof. Anybody can have written it, so it proves nothing. Ask the holder for the signed file, or for the link or the code of the credential.":
    "Dieses Dokument ist nicht signiert, es hat keinen Beweis. Jeder kann es geschrieben haben, darum beweist es nichts. Bitten Sie um die signierte Datei, den Link oder den Code des Nachweises.",
  "The issuer of this credential cannot be identified.":
    "Der Aussteller dieses Nachweises lässt sich nicht feststellen.",
  "Whether this credential was revoked cannot be found out at the moment.":
    "Ob dieser Nachweis widerrufen wurde, lässt sich im Moment nicht feststellen.",
  "The code belongs to a credential of this service.": "Der Code gehört zu einem Nachweis dieses Dienstes.",
  "Issued by {issuer}, an organisation of this service.":
    "Ausgestellt von {issuer}, einer Organisation dieses Dienstes.",
  "The organisation gives itself the name {issuer}. The operator of this service has not confirmed it.":
    "Die Organisation nennt sich selbst {issuer}. Der Betreiber dieses Dienstes hat das nicht bestätigt.",
  "Was valid through {day}.": "War gültig bis einschließlich {day}.",
  "Expired.": "Abgelaufen.",
  "Valid from {day} on.": "Gültig ab {day}.",
  "Valid through {day}.": "Gültig bis einschließlich {day}.",
  "Valid without an end.": "Unbefristet gültig.",
  "Revoked on {day}.": "Widerrufen am {day}.",
  "Suspended on {day}.": "Ausgesetzt am {day}.",
  "Revoked.": "Widerrufen.",
  "Suspended.": "Ausgesetzt.",
  "Neither suspended nor revoked.": "Weder ausgesetzt noch widerrufen.",
  "A newer credential took its place.": "Ein neuerer Nachweis ist an seine Stelle getreten.",
  "No newer credential took its place.": "Kein neuerer Nachweis ist an seine Stelle getreten.",
  "The holder asked for erasure. This credential names nobody any more.":
    "Die Person hat um Löschung gebeten. Dieser Nachweis nennt niemanden mehr.",
  "The holder’s record has changed since this credential ended, so no name is shown.":
    "Die Daten der Person haben sich seit dem Ende dieses Nachweises geändert, deshalb wird kein Name angezeigt.",
  "The issuer does not make the holder’s name public. Compare the person with other means.":
    "Der Aussteller veröffentlicht den Namen nicht. Prüfen Sie auf andere Weise, wer die Person ist.",
};

/** Sentences of the pages with forms. */
export const formSentences: Words = {
  "{organisation} erased what it knew of this address, as was asked. Ask them, if you want it again.":
    "{organisation} hat auf Wunsch gelöscht, was zu dieser Adresse bekannt war. Fragen Sie dort, wenn Sie es wieder möchten.",
  "{organisation} has no last day on record for you, and this credential needs one. Nothing was stored. Ask them to add it, and claim again.":
    "Bei {organisation} ist für Sie kein letzter Tag hinterlegt, und dieser Nachweis braucht einen. Es wurde nichts gespeichert. Bitten Sie dort um einen Eintrag, und holen Sie ihn dann erneut ab.",
  "{organisation} asked you by e-mail already to confirm your name for this credential. Open the link in that e-mail; you get the credential then.":
    "{organisation} hat Sie schon per E-Mail gebeten, Ihren Namen für diesen Nachweis zu bestätigen. Öffnen Sie den Link in dieser E-Mail; dann erhalten Sie den Nachweis.",
  "{organisation} cannot issue it to you at the moment. Nothing was stored. Tell them, and try again later.":
    "{organisation} kann ihn Ihnen im Moment nicht ausstellen. Es wurde nichts gespeichert. Sagen Sie dort Bescheid, und versuchen Sie es später erneut.",
  "{organisation} has issued this credential to you already. Ask them, if you do not have it.":
    "{organisation} hat Ihnen diesen Nachweis schon ausgestellt. Fragen Sie dort, wenn Sie ihn nicht haben.",
  "{organisation} cannot issue it to you at the moment. Tell them: nothing is lost, and they can look into it.":
    "{organisation} kann ihn Ihnen im Moment nicht ausstellen. Sagen Sie dort Bescheid: Es ist nichts verloren, und man kann dort nachsehen.",
  "Too many codes were requested from this network. Try again in {n} minutes.":
    "Von diesem Netz aus wurden zu viele Codes angefordert. Versuchen Sie es in {n} Minuten erneut.",
  "Too many links were requested from this network. Try again in {n} minutes.":
    "Von diesem Netz aus wurden zu viele Links angefordert. Versuchen Sie es in {n} Minuten erneut.",
  "Too many codes were sent to this address. Try again in {n} minutes.":
    "An diese Adresse wurden zu viele Codes geschickt. Versuchen Sie es in {n} Minuten erneut.",
};
