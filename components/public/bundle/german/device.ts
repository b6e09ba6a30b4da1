import type { Words } from "../../words";

/** The words of the offline part of /verify. They are part of its script, which is kept on the device. */
export const device: Words = {
  "(name not confirmed)": "(Name nicht bestätigt)",
  ", a name that nobody has confirmed": ", ein Name, den niemand bestätigt hat",
  ", valid through {day}": ", gültig bis einschließlich {day}",
  "1 hour ago": "vor 1 Stunde",
  "1 minute ago": "vor 1 Minute",
  "Academic credential": "Akademischer Nachweis",
  Add: "Hinzufügen",
  "Add an issuer by its short name": "Aussteller mit Kurznamen hinzufügen",
  "Add the issuer below as soon as there is a connection.":
    "Fügen Sie den Aussteller unten hinzu, sobald es eine Verbindung gibt.",
  "Already scanned here at {moment}. It is counted once.": "Hier schon gescannt: {moment}. Es zählt einmal.",
  Attendance: "Anwesenheit",
  "Could not be checked in this browser": "In diesem Browser nicht prüfbar",
  "Could not be checked: newer than this device knows": "Nicht prüfbar: neuer als der Stand dieses Geräts",
  "Could not be checked: too long without a connection": "Nicht prüfbar: zu lange ohne Verbindung",
  "Could not be checked: unknown issuer": "Nicht prüfbar: unbekannter Aussteller",
  "Could not be checked: unknown key": "Nicht prüfbar: unbekannter Schlüssel",
  "Counted: {n} at {place}.": "Gezählt: {n} bei {place}.",
  "Counting at": "Gezählt wird bei",
  "Counts each code once at a place or event. The list stays on this device, with codes and times and without names.":
    "Zählt jeden Code an einem Ort oder bei einer Veranstaltung einmal. Die Liste bleibt auf diesem Gerät, mit Codes und Zeiten und ohne Namen.",
  "Do not rely on it.": "Verlassen Sie sich nicht darauf.",
  "Employee ID": "Dienstausweis",
  Expired: "Abgelaufen",
  "Export {name} as CSV": "{name} als CSV exportieren",
  "For gates and halls without a network: this device keeps the scanner, and the keys and lists of the issuers whose credentials you check.":
    "Für Eingänge und Säle ohne Netz: Dieses Gerät speichert den Scanner sowie die Schlüssel und Listen der Aussteller, deren Nachweise Sie prüfen.",
  Holder: "Inhaber/in",
  "It becomes valid on {day}, by the clock of this device.": "Er gilt ab {day}, nach der Uhr dieses Geräts.",
  "It could not be counted: this device has no room left. Export the attendance and remove it here.":
    "Das konnte nicht gezählt werden: Auf diesem Gerät ist kein Platz mehr. Exportieren Sie die Anwesenheit, und entfernen Sie sie hier.",
  "It could not be kept: there is no connection, or this browser does not allow it. Try again.":
    "Speichern war nicht möglich: Es gibt keine Verbindung, oder dieser Browser erlaubt es nicht. Versuchen Sie es erneut.",
  "It was counted without a connection, and is marked as refused now.":
    "Er wurde ohne Verbindung gezählt und ist jetzt als abgelehnt vermerkt.",
  "It was valid through {day}, by the clock of this device.":
    "Er war bis einschließlich {day} gültig, nach der Uhr dieses Geräts.",
  "Issuers on this device": "Aussteller auf diesem Gerät",
  "Keep the scanner on this device": "Scanner auf diesem Gerät speichern",
  "Last updated {moment}, {ago}": "Zuletzt aktualisiert: {moment}, {ago}",
  "Lecture hall 2, 3 March": "Hörsaal 2, 3. März",
  "Make sure that this is the person before you: without a connection no photo is shown.":
    "Vergewissern Sie sich, dass dies die Person vor Ihnen ist: Ohne Verbindung wird kein Foto gezeigt.",
  Membership: "Mitgliedschaft",
  "Name not public": "Name nicht öffentlich",
  "Neither revoked nor suspended as of {known}.": "Weder widerrufen noch ausgesetzt, Stand: {known}.",
  "None yet. An issuer is added when you check one of its credentials with a connection, or here.":
    "Noch keine. Ein Aussteller kommt hinzu, wenn Sie einen seiner Nachweise mit Verbindung prüfen, oder hier.",
  "Nobody confirms who the issuer is: it gives itself its name.":
    "Niemand bestätigt, wer der Aussteller ist: Er gibt sich seinen Namen selbst.",
  "Not genuine": "Nicht echt",
  "Not to be relied on": "Nicht verlässlich",
  "Not yet valid": "Noch nicht gültig",
  "Place or event": "Ort oder Veranstaltung",
  Refresh: "Aktualisieren",
  "Remove 1 credential": "1 Nachweis entfernen",
  "Remove the scanner from this device": "Scanner von diesem Gerät entfernen",
  "Remove {n} credentials": "{n} Nachweise entfernen",
  "Remove {name}": "{name} entfernen",
  Revoked: "Widerrufen",
  "Signed by": "Signiert von",
  "Signed, and not revoked as last known": "Signiert, und nach letztem Stand nicht widerrufen",
  "Signed and not revoked as last known, issuer not confirmed":
    "Signiert und nach letztem Stand nicht widerrufen, Aussteller unbestätigt",
  Start: "Starten",
  Stop: "Beenden",
  "Student ID": "Studierendenausweis",
  Suspended: "Ausgesetzt",
  "That says nothing for or against the credential.": "Das sagt nichts für oder gegen den Nachweis.",
  "The QR code names the issuer “{named}”, which this device does not know. Anybody can write such a name.":
    "Der QR-Code nennt den Aussteller „{named}“, den dieses Gerät nicht kennt. Einen solchen Namen kann jeder schreiben.",
  "The list of {known}, says so. It may have become valid again since.":
    "So steht es in der Liste vom {known}. Er kann seither wieder gültig geworden sein.",
  "Ended by its issuer": "Vom Aussteller beendet",
  "The list of {known}, says so: the issuer revoked or replaced it, or gave it an earlier end. This is permanent. Do not accept it.":
    "So steht es in der Liste vom {known}: Der Aussteller hat ihn widerrufen, ersetzt oder sein Ende vorverlegt. Das ist endgültig. Akzeptieren Sie ihn nicht.",
  "The scanner is kept on this device and opens without a connection. Add this page to the home screen to have it as an app. Signed QR codes are checked with the keys and lists below; a plain code is kept until there is a connection.":
    "Der Scanner ist auf diesem Gerät gespeichert und öffnet sich ohne Verbindung. Legen Sie diese Seite auf den Startbildschirm, um ihn als App zu haben. Signierte QR-Codes werden mit den Schlüsseln und Listen unten geprüft; ein einfacher Code wird aufgehoben, bis es eine Verbindung gibt.",
  "The service gave no answer, so this is what this device knows. The service is asked again automatically.":
    "Der Dienst hat nicht geantwortet, deshalb ist dies der Stand dieses Geräts. Der Dienst wird automatisch erneut gefragt.",
  "The service was not reached. What this device knew before is kept.":
    "Der Dienst war nicht erreichbar. Was dieses Gerät wusste, bleibt erhalten.",
  "The signature does not fit what the QR code says. Do not accept it.":
    "Die Signatur passt nicht zu dem, was der QR-Code sagt. Akzeptieren Sie ihn nicht.",
  "There is no issuer with this short name here. It stands in the link of the issuer’s badges, and in Settings, Organisation.":
    "Hier gibt es keinen Aussteller mit diesem Kurznamen. Er steht im Link der Badges des Ausstellers und unter Settings, Organisation.",
  "This browser cannot check Ed25519 signatures. Update it.":
    "Dieser Browser kann keine Ed25519-Signaturen prüfen. Aktualisieren Sie ihn.",
  "This browser cannot keep the scanner. It needs the https address of this service.":
    "Dieser Browser kann den Scanner nicht speichern. Er braucht dafür die https-Adresse dieses Dienstes.",
  "Too old to be relied on: refresh it.": "Zu alt, um sich darauf zu verlassen: Aktualisieren Sie den Stand.",
  "Whether it was revoked since then cannot be known without a connection.":
    "Ob er seither widerrufen wurde, lässt sich ohne Verbindung nicht wissen.",
  "less than a minute ago": "vor weniger als einer Minute",
  "{name} had no such key as of {known}. Either the key is newer, or somebody else signed this.":
    "{name} hatte keinen solchen Schlüssel, Stand: {known}. Entweder ist der Schlüssel neuer, oder jemand anders hat das signiert.",
  "{name} signed it. But it is newer than what this device knows of revocations, which is of {known}.":
    "{name} hat ihn signiert. Aber er ist neuer als das, was dieses Gerät über Widerrufe weiß (Stand: {known}).",
  "{name} signed it. But what this device knows of revocations is of {known}, which is too old to rely on.":
    "{name} hat ihn signiert. Aber was dieses Gerät über Widerrufe weiß, ist vom {known} und nicht mehr verlässlich.",
  "{name} withdrew the key that signed this QR code, because somebody else may have it. Do not accept it without a connection.":
    "{name} hat den Schlüssel zurückgezogen, der diesen QR-Code signiert hat, weil ihn jemand anders haben könnte. Akzeptieren Sie ihn nicht ohne Verbindung.",
  "{n} accepted": "{n} angenommen",
  "{n} days ago": "vor {n} Tagen",
  "{n} hours ago": "vor {n} Stunden",
  "{n} minutes ago": "vor {n} Minuten",
  "{n} not yet checked online": "{n} noch nicht online geprüft",
  "{n} refused later": "{n} später abgelehnt",
};
