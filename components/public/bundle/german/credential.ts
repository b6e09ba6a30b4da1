import type { Words } from "../../words";

/** The words that scripts write on the page of a credential. They are sent with the page. */
export const credential: Words = {
  ". {recheck} to see whether that still holds.": ". {recheck}, um zu sehen, ob das noch gilt.",
  "1 hour ago": "vor 1 Stunde",
  "1 minute ago": "vor 1 Minute",
  "As of": "Stand:",
  Checked: "Geprüft",
  "Checked {ago}": "Geprüft {ago}",
  "It could not be checked again since: {cutOff}.": "Seither war keine neue Prüfung möglich: {cutOff}.",
  "just now": "gerade eben",
  "{n} hours ago": "vor {n} Stunden",
  "{n} minutes ago": "vor {n} Minuten",
  "{n} seconds ago": "vor {n} Sekunden",
  "no connection": "keine Verbindung",
  "the service does not answer": "der Dienst antwortet nicht",
  "asked too often": "zu oft gefragt",
  "it is too large": "zu groß",
  "at {moment}": "um {moment}",
  "on {moment}": "am {moment}",
  "Copy code": "Code kopieren",
  Copied: "Kopiert",
  "Check again": "Erneut prüfen",
  "Check its code again": "Prüfen Sie den Code erneut",
  "Scan the QR code": "Scannen Sie den QR-Code",
  "See it": "Ansehen",
  Valid: "Gültig",
  "Valid, issuer not confirmed": "Gültig, Aussteller unbestätigt",
  "Was valid": "War gültig",
  "Could not be checked": "Nicht prüfbar",
  Revoked: "Widerrufen",
  Suspended: "Ausgesetzt",
  "Was suspended": "War ausgesetzt",
  Expired: "Abgelaufen",
  "Not yet valid": "Noch nicht gültig",
  "Was not yet valid": "War noch nicht gültig",
  Replaced: "Ersetzt",
  "Not valid": "Ungültig",
  "This is not something that can be checked here": "Das lässt sich hier nicht prüfen",
  "Cannot be checked here": "Hier nicht prüfbar",
  "Signed, but not sound": "Signiert, aber fehlerhaft",
  "This credential is valid at this moment.": "Dieser Nachweis ist in diesem Moment gültig.",
  "This says nothing for or against the credential. Try again in a moment.":
    "Das sagt nichts für oder gegen den Nachweis. Versuchen Sie es gleich noch einmal.",
  "This says nothing for or against the credential. This service does not know the vocabulary or the kind of signature that it uses.":
    "Das sagt nichts für oder gegen den Nachweis. Dieser Dienst kennt das Vokabular oder die Art der Signatur nicht.",
  "It is valid. But nobody confirms who the issuer is: the organisation gives itself its name.":
    "Er ist gültig. Aber niemand bestätigt, wer der Aussteller ist: Die Organisation gibt sich ihren Namen selbst.",
  "Not certain": "Nicht sicher",
  "Do not rely on it. Ask the issuer what it states; checking again does not help.":
    "Verlassen Sie sich so nicht darauf. Nur der Aussteller kann es sagen: Ein neuer Versuch ändert nichts.",
  "This is permanent. Do not accept it.": "Das ist endgültig. Akzeptieren Sie ihn nicht.",
  "It is not valid now, and may become valid again.": "Er ist zurzeit nicht gültig, kann aber wieder gültig werden.",
  "It is no longer valid.": "Er ist nicht mehr gültig.",
  "Do not accept it before.": "Akzeptieren Sie ihn nicht vorher.",
  "Do not accept it. Whether a newer one is valid is answered by checking that one.":
    "Akzeptieren Sie ihn nicht. Ob ein neuerer gültig ist, zeigt dessen eigene Prüfung.",
  "Do not accept it.": "Akzeptieren Sie ihn nicht.",
  "It proves nothing, and says nothing against whoever showed it.":
    "Das beweist nichts und sagt nichts gegen die Person, die es zeigt.",
  "Do not rely on it. Its issuer can give out a corrected one.":
    "Verlassen Sie sich nicht darauf. Der Aussteller kann einen berichtigten ausgeben.",
  "For your own credentials, to show them without a connection.":
    "Für Ihre eigenen Nachweise, um sie ohne Verbindung zu zeigen.",
  "It could not be kept: there is no connection, or this browser does not allow it. Try again.":
    "Speichern war nicht möglich: Es gibt keine Verbindung, oder dieser Browser erlaubt es nicht. Versuchen Sie es erneut.",
  "Keep on this device": "Auf diesem Gerät speichern",
  "Kept on this device. Without a connection, you see what was known when you last opened it.":
    "Auf diesem Gerät gespeichert. Ohne Verbindung sehen Sie, was beim letzten Öffnen bekannt war.",
  "Remove from this device": "Von diesem Gerät entfernen",
  "Add to LinkedIn profile": "Zum LinkedIn-Profil hinzufügen",
  "Copy link": "Link kopieren",
  Print: "Drucken",
  Share: "Teilen",
  "Share on": "Teilen über",
  "E-mail": "E-Mail",
};
