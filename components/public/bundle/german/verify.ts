import type { Words } from "../../words";

/** The words that scripts write at /verify, in addition to those of a credential. They are sent with the page. */
export const verify: Words = {
  "16 letters and digits. Capitals, hyphens and spaces do not matter.":
    "16 Buchstaben und Ziffern. Groß- und Kleinschreibung, Bindestriche und Leerzeichen spielen keine Rolle.",
  Check: "Prüfen",
  "Code or link": "Code oder Link",
  "What was checked": "Was geprüft wurde",
  Passed: "Bestanden",
  Failed: "Nicht bestanden",
  "Not checked": "Nicht geprüft",
  "Choose a picture or file": "Bild oder Datei wählen",
  "Hold the QR code of the credential into the frame. The camera stays on for the next one.":
    "Halten Sie den QR-Code des Nachweises in den Rahmen. Die Kamera bleibt für den nächsten an.",
  "Scan with the camera": "Mit der Kamera scannen",
  "Several codes: show one at a time.": "Mehrere Codes: Zeigen Sie einen nach dem anderen.",
  "Several codes: show one at a time": "Mehrere Codes: Zeigen Sie einen nach dem anderen",
  "Starting the camera…": "Kamera startet …",
  Stop: "Beenden",
  "What the camera sees": "Bild der Kamera",
  "The camera works over https alone": "Die Kamera geht nur über https",
  "Open this page under its https address, or type the code instead.":
    "Öffnen Sie diese Seite unter ihrer https-Adresse, oder geben Sie den Code ein.",
  "The camera is not allowed": "Die Kamera ist nicht erlaubt",
  "Allow it for this page in the browser’s settings, near the address, and try again. Or type the code.":
    "Erlauben Sie sie für diese Seite in den Einstellungen des Browsers neben der Adresse, und versuchen Sie es erneut. Oder geben Sie den Code ein.",
  "There is no camera": "Es gibt keine Kamera",
  "Type the code, or choose a picture of it.": "Geben Sie den Code ein, oder wählen Sie ein Bild davon.",
  "The camera is in use": "Die Kamera wird schon benutzt",
  "Close what else uses it, and try again.": "Schließen Sie das andere Programm, und versuchen Sie es erneut.",
  "The scanner could not be loaded": "Der Scanner konnte nicht geladen werden",
  "Check the connection and try again, or type the code.":
    "Prüfen Sie die Verbindung und versuchen Sie es erneut, oder geben Sie den Code ein.",
  "The camera could not be started": "Die Kamera ließ sich nicht starten",
  "Try again, or type the code.": "Versuchen Sie es erneut, oder geben Sie den Code ein.",
  Code: "Code",
  Credential: "Nachweis",
  "Issued by": "Ausgestellt von",
  "No end date": "Ohne Enddatum",
  "On the card": "Auf der Karte",
  "Revoked on": "Widerrufen am",
  "Valid from": "Gültig ab",
  "Valid through": "Gültig bis einschließlich",
  "An Open Badge or another signed credential, whoever issued it. Its picture or file is chosen above.":
    "Ein Open Badge oder ein anderer signierter Nachweis, gleich von wem. Sein Bild oder seine Datei wählen Sie oben.",
  "Check the text": "Text prüfen",
  "Check the text of a badge": "Den Text eines Badges prüfen",
  "Paste its text": "Text einfügen",
  ", checked": ", geprüft",
  Holder: "Inhaber/in",
  "Issuer, in its own words": "Aussteller, nach eigenen Angaben",
  "Issuer’s address": "Adresse des Ausstellers",
  "Issuer’s domain": "Domain des Ausstellers",
  "Issuer’s key": "Schlüssel des Ausstellers",
  "Signed by": "Signiert von",
  "Valid until": "Gültig bis",
  "{domain}, not checked": "{domain}, nicht geprüft",
  "{own} where you are": "{own} bei Ihnen",
  "Now that it has ended, only the holder’s name is shown from the record.":
    "Nach dem Ende wird von den Angaben zur Person nur noch der Name angezeigt.",
  "Name erased": "Name gelöscht",
  "Name not public": "Name nicht öffentlich",
  "Name not shown": "Name nicht angezeigt",
  "No name is shown: the holder’s record has changed since this credential ended. Ask the issuer who held it.":
    "Es wird kein Name angezeigt: Die Daten der Person haben sich seit dem Ende dieses Nachweises geändert. Fragen Sie den Aussteller, wem er gehörte.",
  "No name recorded": "Kein Name hinterlegt",
  "Photo of the holder": "Foto der Person",
  "The holder asked for erasure, so nobody is named here.":
    "Die Person hat um Löschung gebeten, deshalb wird hier niemand genannt.",
  "The issuer does not make the holder’s name public.": "Der Aussteller veröffentlicht den Namen nicht.",
  ", as of {day}": ", Stand {day}",
  "Listed in “": "Verzeichnet in „",
  "Name confirmed": "Name bestätigt",
  "The organisation gives itself another name than the registry; nobody has confirmed it.":
    "Die Organisation nennt sich anders als das Verzeichnis; niemand hat das bestätigt.",
  "The organisation gives itself this name; nobody has confirmed it.":
    "Die Organisation nennt sich selbst so; niemand hat das bestätigt.",
  as: "als",
  "Check a credential": "Nachweis prüfen",
  "Check another": "Weiteren prüfen",
  "Not a credential of this service": "Kein Nachweis dieses Dienstes",
  Checking: "Wird geprüft",
  "Several codes": "Mehrere Codes",
  "A file may have 10 MB.": "Eine Datei darf 10 MB groß sein.",
  "Checking…": "Wird geprüft …",
  "It is a HEIC picture, as an iPhone takes them. Save it as JPEG or PNG, and choose that.":
    "Es ist ein HEIC-Bild, wie iPhones sie aufnehmen. Speichern Sie es als JPEG oder PNG, und wählen Sie dieses.",
  "Recognised, checking…": "Erkannt, wird geprüft …",
  "That says nothing for or against the credential.": "Das sagt nichts für oder gegen den Nachweis.",
  "The answer comes in a moment.": "Die Antwort kommt gleich.",
  "The file is empty.": "Die Datei ist leer.",
  "The issuer is asked as well, which may take a few seconds.":
    "Auch der Aussteller wird gefragt; das kann einige Sekunden dauern.",
  "There is more than one QR code to be seen, and nobody knows which one is meant.":
    "Es sind mehrere QR-Codes zu sehen, und es ist nicht klar, welcher gemeint ist.",
  "This QR code is not that of a credential.": "Dieser QR-Code gehört zu keinem Nachweis.",
  "This QR code leads to {host}, not to this service.": "Dieser QR-Code führt zu {host}, nicht zu diesem Dienst.",
  "This picture cannot be read here": "Dieses Bild lässt sich hier nicht lesen",
  "Too many were checked from here within a minute.": "Von hier aus wurden in einer Minute zu viele geprüft.",
  "Try again": "Erneut versuchen",
  "This could not be checked: no connection": "Das konnte nicht geprüft werden: keine Verbindung",
  "This could not be checked: the service does not answer":
    "Das konnte nicht geprüft werden: Der Dienst antwortet nicht",
  "This could not be checked: asked too often": "Das konnte nicht geprüft werden: zu oft gefragt",
  "This could not be checked: it is too large": "Das konnte nicht geprüft werden: zu groß",
  "The code that you typed is kept, and is checked as soon as there is an answer.":
    "Der eingegebene Code bleibt erhalten und wird geprüft, sobald es eine Antwort gibt.",
  "The code was read and is kept, and is checked as soon as there is an answer.":
    "Der Code wurde gelesen, bleibt erhalten und wird geprüft, sobald es eine Antwort gibt.",
  "What you pasted is kept, and is checked as soon as there is an answer.":
    "Das Eingefügte bleibt erhalten und wird geprüft, sobald es eine Antwort gibt.",
  "The file is kept.": "Die Datei bleibt erhalten.",
  "Without JavaScript, this page checks codes and links only. Pictures, files and the camera need it.":
    "Ohne JavaScript prüft diese Seite nur Codes und Links. Bilder, Dateien und die Kamera brauchen es.",
  "The file is kept, and is checked as soon as there is a connection.":
    "Die Datei bleibt erhalten und wird geprüft, sobald es eine Verbindung gibt.",
  ", not to this service, which can say nothing about it. If somebody says that it was issued here, do not accept it.":
    ", nicht zu diesem Dienst, der dazu nichts sagen kann. Wenn jemand behauptet, dass er hier ausgestellt wurde, akzeptieren Sie ihn nicht.",
  "A code has 16 letters and digits, such as 7Q2M-0X4K-9VTB-C31E. It stands on the credential, near its QR code.":
    "Ein Code hat 16 Buchstaben und Ziffern, zum Beispiel 7Q2M-0X4K-9VTB-C31E. Er steht auf dem Nachweis neben dem QR-Code.",
  "An organisation of this service signed this. It is not the document of one of its credentials here, so ask the organisation what it is.":
    "Eine Organisation dieses Dienstes hat das signiert. Es gehört aber zu keinem ihrer Nachweise hier. Fragen Sie die Organisation, was es ist.",
  "Anyone can make such a key and call it “": "Jeder kann einen solchen Schlüssel erzeugen und ihn so nennen: „",
  "Check the credential itself again": "Prüfen Sie den Nachweis selbst erneut",
  "It leads to": "Er führt zu",
  "It was changed after it was signed, or somebody else made it. What it says of its holder and issuer is left out here, because anybody can have written it.":
    "Er wurde nach dem Signieren verändert, oder jemand anders hat ihn gemacht. Was er über Person und Aussteller sagt, steht hier nicht, weil es jeder geschrieben haben kann.",
  "Its issuer withdrew the key that signed it": "Der Aussteller hat den Schlüssel zurückgezogen",
  "Do not accept it as it is.": "Akzeptieren Sie ihn so nicht.",
  "Its signature holds. But nobody confirms who the issuer is, and anybody can sign in any name.":
    "Die Signatur stimmt. Aber niemand bestätigt, wer der Aussteller ist, und jeder kann unter jedem Namen signieren.",
  "Not signed": "Nicht signiert",
  "Nobody signed it": "Niemand hat das signiert",
  "A credential carries the signature of its issuer, and this document has none. What it says of its holder and issuer is left out here, because anybody can have written it.":
    "Ein Nachweis trägt die Signatur seines Ausstellers, und dieses Dokument hat keine. Was es über Person und Aussteller sagt, steht hier nicht, denn jeder kann es geschrieben haben.",
  "Its signature does not fit": "Die Signatur passt nicht",
  "Look at the code again: perhaps a character was misread. If it is right, then this service never issued such a credential. Do not accept it.":
    "Sehen Sie den Code noch einmal an: Vielleicht wurde ein Zeichen falsch gelesen. Wenn er stimmt, hat dieser Dienst einen solchen Nachweis nie ausgestellt. Akzeptieren Sie ihn nicht.",
  "Make sure that this is the person and the credential before you.":
    "Vergewissern Sie sich, dass dies die Person und der Nachweis vor Ihnen ist.",
  "Nobody confirms who the issuer is": "Niemand bestätigt, wer der Aussteller ist",
  "See the credential": "Nachweis ansehen",
  "The file may be genuine, but nobody can tell. What it says of its holder and issuer is left out here. The page or the code of the credential tells whether it is valid.":
    "Die Datei kann echt sein, aber niemand kann es feststellen. Was sie über Person und Aussteller sagt, steht hier nicht. Ob der Nachweis gültig ist, sagt seine Seite oder sein Code.",
  "There is no credential with this code": "Es gibt keinen Nachweis mit diesem Code",
  "This credential was not issued by this service. It tells who signed it; whether that is the institution you expect, you see by its domain.":
    "Dieser Nachweis wurde nicht von diesem Dienst ausgestellt. Er sagt, wer ihn signiert hat; ob das die erwartete Einrichtung ist, sehen Sie an der Domain.",
  "This credential was not issued by this service. Its issuer stands under this name in a registry that this service trusts.":
    "Dieser Nachweis wurde nicht von diesem Dienst ausgestellt. Der Aussteller steht unter diesem Namen in einem Verzeichnis, dem dieser Dienst vertraut.",
  "This is not a code": "Das ist kein Code",
  "This link leads somewhere else": "Dieser Link führt woandershin",
  "”. Ask the institution whether the key below is its own before you rely on this.":
    "“. Fragen Sie die Einrichtung, ob der Schlüssel unten ihrer ist, bevor Sie sich darauf verlassen.",
  "Last checked on this device": "Zuletzt auf diesem Gerät geprüft",
  "Only in this tab: nothing is left when you close it.": "Nur in diesem Tab: Beim Schließen bleibt nichts zurück.",
  "There is no QR code to be seen in this picture either. Take one that shows all of it, sharp and straight.":
    "Auch ein QR-Code ist auf diesem Bild nicht zu sehen. Nehmen Sie eines auf, das ihn ganz, scharf und gerade zeigt.",
  "Type the code that stands on it, paste its link, scan its QR code, or choose the picture or file of a badge. You see at once whether it is valid.":
    "Geben Sie den Code ein, der darauf steht, fügen Sie den Link ein, scannen Sie den QR-Code, oder wählen Sie das Bild oder die Datei eines Badges. Sie sehen sofort, ob der Nachweis gültig ist.",
};
