import type { Words } from "../../words";

/** The words of the pages with forms: claim links, names to confirm and the holder's home. */
export const forms: Words = {
  ", and issues the credential under that name": " und stellt den Nachweis unter diesem Namen aus",
  ". If that is not you, do not go on, and tell {organisation}.":
    ". Wenn Sie das nicht sind, machen Sie nicht weiter, und sagen Sie {organisation} Bescheid.",
  ". They work for 15 minutes.": " geschickt. Sie gelten 15 Minuten.",
  "All places are taken": "Alle Plätze sind vergeben",
  "As it should appear on the credential.": "So, wie er auf dem Nachweis stehen soll.",
  "Ask for it": "Anfragen",
  "Ask {organisation} why, and what you can do.": "Fragen Sie {organisation}, warum, und was Sie tun können.",
  "Bonafide hands out credentials on behalf of organisations.":
    "Bonafide gibt Nachweise im Auftrag von Organisationen aus.",
  "Bonafide hands this out on behalf of {organisation}.": "Bonafide gibt dies im Auftrag von {organisation} aus.",
  "Claim with another address": "Mit einer anderen Adresse abholen",
  "Code from the e-mail": "Code aus der E-Mail",
  Continue: "Weiter",
  "Enter the code": "Geben Sie den Code ein",
  For: "Für",
  "Get it now": "Jetzt erhalten",
  "If you think that is a mistake, ask {organisation}.":
    "Wenn Sie das für einen Irrtum halten, fragen Sie {organisation}.",
  "It can no longer be claimed. Ask {organisation} for another link.":
    "Der Nachweis kann nicht mehr abgeholt werden. Bitten Sie {organisation} um einen anderen Link.",
  "It is not valid yet.": "Er ist noch nicht gültig.",
  "It is valid.": "Er ist gültig.",
  "It is suspended, so it is not valid at the moment.": "Er ist ausgesetzt und deshalb zurzeit nicht gültig.",
  "It has expired.": "Er ist abgelaufen.",
  "It was revoked, so it is no longer valid.": "Er wurde widerrufen und ist deshalb nicht mehr gültig.",
  "It is yours": "Er gehört Ihnen",
  "Look at my name": "Meinen Namen ansehen",
  "Nobody else can claim it under this link. Ask {organisation} whether there will be more places.":
    "Unter diesem Link kann ihn niemand mehr abholen. Fragen Sie {organisation}, ob es weitere Plätze gibt.",
  "One thing is left: your name": "Eines fehlt noch: Ihr Name",
  "Open it, keep its link, and show it to whoever asks.":
    "Öffnen Sie ihn, bewahren Sie den Link auf, und zeigen Sie ihn, wenn jemand danach fragt.",
  "Open my credential": "Meinen Nachweis öffnen",
  "Perhaps a character is missing or was misread. If it is right, ask whoever gave it to you.":
    "Vielleicht fehlt ein Zeichen oder wurde falsch gelesen. Wenn er stimmt, fragen Sie die Person, von der Sie ihn haben.",
  "Send me a code": "Code zusenden",
  "The link for that has expired: ask {organisation} for a new one.":
    "Der Link dafür ist abgelaufen: Bitten Sie {organisation} um einen neuen.",
  "The service sends no e-mail, so it cannot check your address. Tell {organisation}: an SMTP server has to be set up first.":
    "Der Dienst verschickt keine E-Mails und kann Ihre Adresse deshalb nicht prüfen. Sagen Sie {organisation} Bescheid: Zuerst muss ein SMTP-Server eingerichtet werden.",
  "There is no such link": "Diesen Link gibt es nicht",
  "This cannot be claimed yet": "Das kann noch nicht abgeholt werden",
  "This offer has ended": "Dieses Angebot ist beendet",
  "Unknown link": "Unbekannter Link",
  "Use another address, or send a new code": "Andere Adresse verwenden oder neuen Code senden",
  "We send a code to it, so that nobody claims in your name.":
    "Wir senden einen Code dorthin, damit niemand den Nachweis in Ihrem Namen abholt.",
  "We sent six digits to": "Wir haben sechs Ziffern an",
  "You get an e-mail when it is decided. You can also come back to this link and prove your address again.":
    "Sie erhalten eine E-Mail, sobald entschieden ist. Sie können auch zu diesem Link zurückkommen und Ihre Adresse erneut bestätigen.",
  "You hold it already": "Sie haben ihn schon",
  "Your details": "Ihre Angaben",
  "Your e-mail address": "Ihre E-Mail-Adresse",
  "Your name": "Ihr Name",
  "offers you": "bietet Ihnen an:",
  "{email} is not my address": "{email} ist nicht meine Adresse",
  "{organisation} checks each request before it issues the credential.":
    "{organisation} prüft jede Anfrage, bevor der Nachweis ausgestellt wird.",
  "{organisation} did not approve it": "{organisation} hat nicht zugestimmt",
  "{organisation} has this on record. If something is wrong, ask them to correct it before you go on.":
    "Das ist bei {organisation} hinterlegt. Wenn etwas nicht stimmt, bitten Sie dort um Berichtigung, bevor Sie weitermachen.",
  "{organisation} issued it to": "{organisation} hat ihn ausgestellt für",
  "{organisation} issues it as soon as you confirm that your name is right.":
    "{organisation} stellt ihn aus, sobald Sie bestätigen, dass Ihr Name stimmt.",
  "{organisation} knows": "{organisation} kennt",
  "{organisation} looks at it first": "{organisation} prüft das zuerst",
  "{organisation} offers you a credential. Prove an address to hold it.":
    "{organisation} bietet Ihnen einen Nachweis an. Bestätigen Sie eine Adresse, um ihn zu erhalten.",
  ". Once that is decided, you get a new link to look at your name again. Nothing is issued before.":
    " gebeten. Sobald darüber entschieden ist, erhalten Sie einen neuen Link, um Ihren Namen noch einmal anzusehen. Vorher wird nichts ausgestellt.",
  "A newer link may have replaced it: look for the newest e-mail. Otherwise ask the organisation for one.":
    "Vielleicht hat ein neuerer Link ihn ersetzt: Suchen Sie die neueste E-Mail. Sonst bitten Sie die Organisation um einen.",
  "Ask for this name": "Um diesen Namen bitten",
  "Bonafide asks on behalf of the organisation that sent you the link.":
    "Bonafide fragt im Auftrag der Organisation, die Ihnen den Link geschickt hat.",
  "Bonafide asks on behalf of {organisation}. This link is for you alone.":
    "Bonafide fragt im Auftrag von {organisation}. Dieser Link ist nur für Sie.",
  "Confirm your name": "Namen bestätigen",
  "Is this your name?": "Ist das Ihr Name?",
  "It will stand on your credential as it is written here, and everyone whom you show it to reads it. Nothing is issued before you confirm. The link works through {day}.":
    "So steht er auf Ihrem Nachweis, und alle lesen ihn, denen Sie ihn zeigen. Vor Ihrer Bestätigung wird nichts ausgestellt. Der Link gilt bis einschließlich {day}.",
  "No name on record": "Kein Name hinterlegt",
  "No, something is wrong": "Nein, etwas stimmt nicht",
  "Nothing was issued yet. Ask {organisation} to send you a new link.":
    "Es wurde noch nichts ausgestellt. Bitten Sie {organisation} um einen neuen Link.",
  "Open your credential, keep its link, and show it to whoever asks.":
    "Öffnen Sie Ihren Nachweis, bewahren Sie den Link auf, und zeigen Sie ihn, wenn jemand danach fragt.",
  "Nothing can be issued here": "Hier kann nichts ausgestellt werden",
  "In the records of {organisation} you are not active at present. Ask them: once that has changed, this link leads on.":
    "Bei {organisation} sind Sie zurzeit nicht als aktiv geführt. Fragen Sie dort: Sobald sich das geändert hat, führt dieser Link weiter.",
  "The credential was meant for a time that is over. Ask {organisation}, if you still need one.":
    "Der Nachweis war für eine Zeit gedacht, die vorüber ist. Fragen Sie {organisation}, wenn Sie noch einen brauchen.",
  "Since this link was sent, {organisation} revoked a credential of yours of this kind. Ask them whether you get another.":
    "Seit dieser Link verschickt wurde, hat {organisation} einen solchen Nachweis von Ihnen widerrufen. Fragen Sie dort, ob Sie einen neuen erhalten.",
  "You had asked for the name": "Sie hatten um den Namen gebeten:",
  "Ask for it on your own page": "Auf Ihrer eigenen Seite darum bitten",
  "An earlier wish of yours waits for a decision. This one was not sent.":
    "Ein früherer Wunsch von Ihnen wird noch geprüft. Dieser wurde nicht abgeschickt.",
  "This was decided before your wish arrived, so it was not sent.":
    "Darüber wurde entschieden, bevor Ihr Wunsch ankam. Er wurde nicht abgeschickt.",
  "{organisation} has issued this credential to you already. Ask them, if you do not have it.":
    "{organisation} hat Ihnen diesen Nachweis schon ausgestellt. Fragen Sie dort, wenn Sie ihn nicht haben.",
  "This link has expired": "Dieser Link ist abgelaufen",
  "These are the newest {shown}. Ask {organisation} for the other {older}.":
    "Das sind die neuesten {shown}. Fragen Sie {organisation} nach den übrigen {older}.",
  "This link works no more": "Dieser Link gilt nicht mehr",
  "What is wrong": "Was nicht stimmt",
  "Yes, issue it": "Ja, ausstellen",
  "You asked for the name": "Sie haben um den Namen",
  "Your name as it should stand": "Ihr Name, wie er dort stehen soll",
  "Your name is confirmed": "Ihr Name ist bestätigt",
  "does not issue": "stellt nicht aus:",
  "issued to you": "hat Ihnen ausgestellt:",
  "will issue to you": "stellt Ihnen aus:",
  "does not issue at present": "stellt zurzeit nicht aus:",
  "It was issued to you": "Der Nachweis wurde Ihnen ausgestellt",
  "{organisation} issued the credential without waiting for your name.":
    "{organisation} hat den Nachweis ausgestellt, ohne auf Ihren Namen zu warten.",
  "{organisation} did not change it to": "{organisation} hat ihn nicht geändert in",
  "{organisation} looks at your wish": "{organisation} prüft Ihren Wunsch",
  "{organisation} reads it and decides.": "{organisation} liest es und entscheidet.",
  "{organisation} took it back": "{organisation} hat es zurückgenommen",
  ", and stay signed in on this device for an hour.": " und bleiben auf diesem Gerät eine Stunde lang angemeldet.",
  ". {organisation} looks at it.": " gebeten. {organisation} prüft das.",
  "Add an address of your own. It leads here too, also when the organisation’s address is no longer yours.":
    "Fügen Sie eine eigene Adresse hinzu. Auch sie führt hierher, selbst wenn die Adresse der Organisation nicht mehr Ihre ist.",
  "All credentials that you hold in this service, on one page.":
    "Alle Nachweise, die Sie in diesem Dienst haben, auf einer Seite.",
  "Another address": "Andere Adresse",
  "Another e-mail address": "Weitere E-Mail-Adresse",
  "Are these your credentials?": "Sind das Ihre Nachweise?",
  "If something was issued to that address, a link is on its way. It works once, for an hour. If none comes, look into the junk folder, or try the address that the organisation knows.":
    "Wenn für diese Adresse etwas ausgestellt wurde, ist ein Link unterwegs. Er gilt einmal und eine Stunde lang. Wenn keiner kommt, sehen Sie im Spam-Ordner nach, oder versuchen Sie die Adresse, die der Organisation bekannt ist.",
  "It was used already, or its hour is over.": "Er wurde schon benutzt, oder seine Stunde ist um.",
  "Keep access": "Zugang behalten",
  "You entered with this address. Enter another one.":
    "Mit dieser Adresse sind Sie angemeldet. Geben Sie eine andere ein.",
  "You were signed out after an hour, so what you entered was not sent. Enter again, and repeat it.":
    "Sie wurden nach einer Stunde abgemeldet, deshalb wurde Ihre Eingabe nicht gesendet. Melden Sie sich erneut an, und wiederholen Sie sie.",
  "Look into your mailbox": "Sehen Sie in Ihr Postfach",
  "My credentials": "Meine Nachweise",
  "My name is not right": "Mein Name stimmt nicht",
  "No, this is not me": "Nein, das bin ich nicht",
  "Nothing was added": "Es wurde nichts hinzugefügt",
  "Nothing was issued to this address.": "Für diese Adresse wurde nichts ausgestellt.",
  "Nothing was issued to you yet.": "Ihnen wurde noch nichts ausgestellt.",
  Remove: "Entfernen",
  "Several people at {organisation} share this address, so no other address can be added for them here. Ask {organisation} to record an address of your own.":
    "Mehrere Personen bei {organisation} teilen sich diese Adresse, deshalb lässt sich hier für sie keine weitere hinzufügen. Bitten Sie {organisation}, eine eigene Adresse für Sie einzutragen.",
  "Say yes only if that is you. They do not see what was issued to your address. You stay signed in on this device for an hour.":
    "Sagen Sie nur Ja, wenn Sie das sind. Die andere Person sieht nicht, was für Ihre Adresse ausgestellt wurde. Sie bleiben auf diesem Gerät eine Stunde lang angemeldet.",
  "From {day}": "Ab {day}",
  "See everything that was issued to you here. Enter your e-mail address, and we send you a link.":
    "Sehen Sie alles, was Ihnen hier ausgestellt wurde. Geben Sie Ihre E-Mail-Adresse ein, und wir senden Ihnen einen Link.",
  "Send a link to it": "Link dorthin senden",
  "Send me a link": "Link zusenden",
  "Send me a new one": "Neuen Link zusenden",
  "Sign out": "Abmelden",
  "Somebody asked that": "Jemand möchte, dass",
  "The link in the e-mail and this page are for you alone. Sign out on a device that others use.":
    "Der Link in der E-Mail und diese Seite sind nur für Sie. Melden Sie sich auf einem Gerät ab, das auch andere benutzen.",
  "The service sends no e-mail, so it cannot check that an address is yours. Ask the organisation that issued your credential.":
    "Der Dienst verschickt keine E-Mails und kann deshalb nicht prüfen, ob eine Adresse Ihre ist. Fragen Sie die Organisation, die Ihren Nachweis ausgestellt hat.",
  "This page cannot be entered yet": "Diese Seite ist noch nicht zugänglich",
  "Valid through {day}": "Gültig bis einschließlich {day}",
  "What should they know?": "Was sollte die Organisation wissen?",
  "Yes, add my address": "Ja, meine Adresse hinzufügen",
  "You enter with": "Sie melden sich an mit",
  "Your address leads to nobody else’s credentials. You can close this page.":
    "Ihre Adresse führt zu keinen fremden Nachweisen. Sie können diese Seite schließen.",
  "lead to the credentials of:": "zu den Nachweisen folgender Personen führt:",
  "{organisation} did not change the name to {name}": "{organisation} hat den Namen nicht geändert in {name}",
  "{organisation} reads it, and may ask you for a document.":
    "{organisation} liest es und bittet Sie vielleicht um ein Dokument.",
  "The organisation has your request.": "Die Organisation hat Ihre Bitte erhalten.",
  "A link is on its way to that address. Open it there to add the address.":
    "Ein Link ist zu dieser Adresse unterwegs. Öffnen Sie ihn dort, um die Adresse hinzuzufügen.",
  "The address leads here no more.": "Die Adresse führt nicht mehr hierher.",
  "Enter an e-mail address, such as ada@example.edu.":
    "Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.edu.",
  "Use plain text on one line, at most 300 characters for the name and 500 for the rest.":
    "Verwenden Sie einfachen Text in einer Zeile, höchstens 300 Zeichen für den Namen und 500 für den Rest.",
  "Use plain text on one line, at most 300 characters.":
    "Verwenden Sie einfachen Text in einer Zeile, höchstens 300 Zeichen.",
  "Fill this in.": "Füllen Sie das aus.",
  "Enter a date, such as 2029-01-19.": "Geben Sie ein Datum ein, zum Beispiel 2029-01-19.",
  "Enter a day and a time, such as 2029-01-19T09:30.": "Geben Sie Tag und Uhrzeit ein, zum Beispiel 2029-01-19T09:30.",
  "In the time zone {zone}.": "In der Zeitzone {zone}.",
  "Enter a number, such as 12.5.": "Geben Sie eine Zahl ein, zum Beispiel 12,5, ohne Punkte zwischen den Tausendern.",
  "That is the name on record already.": "Dieser Name ist schon hinterlegt.",
  "That is the name shown above. Confirm it instead.": "Das ist der Name, der oben steht. Bestätigen Sie ihn.",
  "That is not the code. Look at the newest e-mail.": "Das ist nicht der Code. Sehen Sie in die neueste E-Mail.",
  "This code works no more. Ask for a new one.": "Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.",
  "Something that you entered is too long or cannot be stored. Shorten it, and try again.":
    "Etwas von Ihren Angaben ist zu lang oder lässt sich nicht speichern. Kürzen Sie es, und versuchen Sie es erneut.",
  "The name on record has changed since you opened this page. Look at it again.":
    "Der hinterlegte Name hat sich geändert, seit Sie diese Seite geöffnet haben. Sehen Sie ihn noch einmal an.",
};
