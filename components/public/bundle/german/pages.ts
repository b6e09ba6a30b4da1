import type { Words } from "../../words";

/** The words that only the server writes. */
export const pages: Words = {
  "Add to Apple Wallet": "Zu Apple Wallet hinzufügen",
  "Add to Google Wallet": "Zu Google Wallet hinzufügen",
  "How it is earned": "Wie man sie erwirbt",
  Download: "Herunterladen",
  "Certificate (PDF)": "Urkunde (PDF)",
  "Badge (PNG)": "Badge (PNG)",
  "Badge (SVG)": "Badge (SVG)",
  "Signed credential (JSON)": "Signierter Nachweis (JSON)",
  "Each holds the signed credential (Open Badges 3.0) and can be verified here. Other verifiers read the badges and the JSON file, which is also attached to the PDF.":
    "Jede Datei enthält den signierten Nachweis (Open Badges 3.0) und lässt sich hier prüfen. Andere Prüfdienste lesen die Badges und die JSON-Datei, die auch dem PDF beiliegt.",
  "(optional)": "(freiwillig)",
  "All my credentials": "Alle meine Nachweise",
  "Bonafide: check a credential": "Bonafide: Nachweis prüfen",
  "The answer comes from the issuer’s record at the moment of asking. Look at the address of this page: a picture of an answer proves nothing.":
    "Die Antwort kommt im Moment der Frage aus den Daten des Ausstellers. Achten Sie auf die Adresse dieser Seite: Ein Bild einer Antwort beweist nichts.",
  ". It may have ended since. Whoever checks it scans the QR code.":
    ". Er kann seither geendet haben. Wer ihn prüft, scannt den QR-Code.",
  "No connection: this is what was known last": "Keine Verbindung: Das war der letzte bekannte Stand",
  "Show it large": "Groß anzeigen",
  "QR code, full screen": "QR-Code im Vollbild",
  Close: "Schließen",
  "QR code that leads to {url}": "QR-Code, der zu {url} führt",
  "Scan to check this credential yourself.": "Scannen Sie den QR-Code, um diesen Nachweis selbst zu prüfen.",
  "Issued by {issuer}. Open to see whether it is valid at this moment.":
    "Ausgestellt von {issuer}. Öffnen Sie die Seite, um zu sehen, ob er gerade gültig ist.",
  "Issued by an organisation that calls itself {issuer}; nobody has confirmed that name. Open to see whether it is valid at this moment.":
    "Ausgestellt von einer Organisation, die sich {issuer} nennt; niemand hat diesen Namen bestätigt. Öffnen Sie die Seite, um zu sehen, ob er gerade gültig ist.",
  "{title} of {name}": "{title} von {name}",
  "A code has 16 letters and digits, such as 7Q2M-0X4K-9VTB-C31E. Perhaps a character is missing or was misread. If it is right, then this service never issued such a credential: ask whoever gave it to you.":
    "Ein Code hat 16 Buchstaben und Ziffern, zum Beispiel 7Q2M-0X4K-9VTB-C31E. Vielleicht fehlt ein Zeichen oder wurde falsch gelesen. Wenn er stimmt, hat dieser Dienst einen solchen Nachweis nie ausgestellt: Fragen Sie die Person, von der Sie ihn haben.",
  "Unknown code": "Unbekannter Code",
  Back: "Zurück",
  "Nothing was changed.": "Es wurde nichts geändert.",
  "Reference {reference}": "Kennung {reference}",
  "The service does not answer at the moment, or was asked too often from here. That says nothing for or against the credential. Wait a moment and try again.":
    "Der Dienst antwortet im Moment nicht oder wurde von hier aus zu oft gefragt. Das sagt nichts für oder gegen den Nachweis. Warten Sie einen Moment, und versuchen Sie es erneut.",
  "The service does not answer at the moment. Nothing was changed. Wait a moment and try again.":
    "Der Dienst antwortet im Moment nicht. Es wurde nichts geändert. Warten Sie einen Moment, und versuchen Sie es erneut.",
  "This could not be checked": "Das konnte nicht geprüft werden",
  "This did not work": "Das hat nicht geklappt",
  "The answer comes from the issuer’s record, or from the signature of a document, its keys and its status list, at the moment of asking.":
    "Die Antwort kommt im Moment der Frage aus den Daten des Ausstellers oder aus der Signatur eines Dokuments, seinen Schlüsseln und seiner Statusliste.",
  "Type the code, paste the link or scan the QR code of a credential to see whether it is valid at this moment.":
    "Geben Sie den Code ein, fügen Sie den Link ein, oder scannen Sie den QR-Code eines Nachweises, um zu sehen, ob er gerade gültig ist.",
  "Without a connection": "Ohne Verbindung",
};
