import type { Words } from "../../words";

/**
 * What is wrong with a submitted document, its token, proof, key or status list (server/standards), and with the request
 * for a document of its issuer (server/outbound). The first matching pattern is used. `{place}` is a JSON Pointer or the
 * name of a member, `{why}` is itself a sentence, and `{what}` the document of an issuer.
 */
export const checkSentences: Words = {
  // The form of a document.
  "{place} is missing.": "{place} fehlt.",
  "{place} must be a URL.": "{place} muss eine URL sein.",
  "{place} must be a URL or URLs.": "{place} muss eine URL oder eine Liste von URLs sein.",
  "{place} must be a URL or an object.": "{place} muss eine URL oder ein Objekt sein.",
  "{place} must be a list.": "{place} muss eine Liste sein.",
  "{place} must be an object.": "{place} muss ein Objekt sein.",
  "{place} must be a text.": "{place} muss ein Text sein.",
  "{place} must be a text or a list of texts.": "{place} muss ein Text oder eine Liste von Texten sein.",
  "{place} must be a text, or an object with a text and its language.":
    "{place} muss ein Text sein, oder ein Objekt mit einem Text und seiner Sprache.",
  "{place} must have a text in @value, a language tag in @language and ltr or rtl in @direction.":
    "{place} muss in @value einen Text haben, in @language ein Sprachkürzel und in @direction ltr oder rtl.",
  "{place} may have @value, @language and @direction alone.":
    "{place} darf nur @value, @language und @direction haben.",
  "{place} must be a date and time with a time zone, such as 2026-01-31T00:00:00Z.":
    "{place} muss ein Zeitpunkt mit Zeitzone sein, zum Beispiel 2026-01-31T00:00:00Z.",
  "{place} must be a media type.": "{place} muss ein Medientyp sein.",
  "{place} must be a whole number.": "{place} muss eine ganze Zahl sein.",
  "{place} must be a whole number, as a text.": "{place} muss eine ganze Zahl sein, als Text.",
  "{place} must be a whole number of milliseconds.": "{place} muss eine ganze Zahl von Millisekunden sein.",
  "{place} must be a number of bits from 1 to 32.": "{place} muss eine Anzahl von 1 bis 32 Bits sein.",
  "{place} must be BitstringStatusList.": "{place} muss BitstringStatusList sein.",
  "{place} must be the URL of the revocation list.": "{place} muss die URL der Widerrufsliste sein.",
  "{place} must be the digest of the resource, such as sha384-….":
    "{place} muss der Hashwert der Ressource sein, zum Beispiel sha384-….",
  "{place} must be the digest of the resource as a multihash.":
    "{place} muss der Hashwert der Ressource als Multihash sein.",
  "{place} must be there for the purpose message, and for a statusSize above 1.":
    "{place} muss beim Zweck message vorhanden sein, und bei einer statusSize über 1.",
  "{place} must have a message for each value that statusSize allows.":
    "{place} muss für jeden Wert, den statusSize erlaubt, eine Meldung haben.",
  "{place} must have digestSRI or digestMultibase.": "{place} muss digestSRI oder digestMultibase haben.",
  "{place} must name a type.": "{place} muss einen Typ nennen.",
  "{place} must name one base context, once.": "{place} muss genau einen Basiskontext nennen, einmal.",
  "{place} must name {type}.": "{place} muss {type} nennen.",
  "{place} must not be before the beginning.": "{place} darf nicht vor dem Beginn liegen.",
  "{place} must not be empty.": "{place} darf nicht leer sein.",
  "{place} must not be the URL of the status list.": "{place} darf nicht die URL der Statusliste sein.",
  "{place} must not name a resource twice.": "{place} darf keine Ressource zweimal nennen.",
  "{place} must say something about the subject.": "{place} muss etwas über die Person oder Sache aussagen.",
  "/@context/0 must be {first} or {second}.": "/@context/0 muss {first} oder {second} sein.",
  "credentialSubject of a status list must be one object.":
    "credentialSubject einer Statusliste muss ein einzelnes Objekt sein.",
  "credentialSubject: {why}": "credentialSubject: {why}",
  "The document has a property __proto__.": "Das Dokument hat eine Eigenschaft __proto__.",
  "The document has more than {n} values.": "Das Dokument hat mehr als {n} Werte.",
  "The document has a list of more than {n} values.": "Das Dokument hat eine Liste mit mehr als {n} Werten.",
  "The document has more than {n} contexts.": "Das Dokument hat mehr als {n} Kontexte.",
  "The document has more than {n} proofs.": "Das Dokument hat mehr als {n} Beweise (proof).",
  "The document is more than {n} levels deep.": "Das Dokument ist mehr als {n} Ebenen tief.",
  "The document defines more than {n} terms itself.": "Das Dokument definiert selbst mehr als {n} Begriffe.",
  "The document defines more than {n} contexts of single terms.":
    "Das Dokument definiert mehr als {n} Kontexte einzelner Begriffe.",
  "The document states something twice: an object in it has two members of one name. Which of the two is meant cannot be known.":
    "Das Dokument sagt etwas doppelt: Ein Objekt darin hat zwei Einträge mit demselben Namen. Welcher gemeint ist, lässt sich nicht sagen.",
  "The document is not valid JSON-LD: {term} is not defined by its contexts.":
    "Das Dokument ist kein gültiges JSON-LD: {term} ist in seinen Kontexten nicht definiert.",
  "The document is not valid JSON-LD: it is nested too deeply.":
    "Das Dokument ist kein gültiges JSON-LD: Es ist zu tief verschachtelt.",
  "The document is not valid JSON-LD: it cannot be processed.":
    "Das Dokument ist kein gültiges JSON-LD: Es lässt sich nicht verarbeiten.",
  "The document is not valid JSON-LD: {cause}.": "Das Dokument ist kein gültiges JSON-LD: {cause}.",
  "The document is built so that it cannot be put into a canonical form in reasonable time.":
    "Das Dokument ist so gebaut, dass es sich nicht in vertretbarer Zeit in eine kanonische Form bringen lässt.",
  "The document has no canonical JSON form.": "Das Dokument hat keine kanonische JSON-Form.",
  "The credential uses a vocabulary that is not known here: {url}. What its terms mean cannot be known without it.":
    "Der Nachweis verwendet ein Vokabular, das hier nicht bekannt ist: {url}. Ohne dieses lässt sich nicht sagen, was seine Begriffe bedeuten.",
  "The credential is in an envelope of a kind that is not read here.":
    "Der Nachweis steckt in einem Umschlag einer Art, die hier nicht gelesen wird.",
  "{name} must be written by the plain name that the contexts of credentials give it.":
    "{name} muss mit dem einfachen Namen geschrieben sein, den die Kontexte von Nachweisen vorgeben.",
  "A context of the document must not set {keyword}.": "Ein Kontext des Dokuments darf {keyword} nicht setzen.",
  "A context of the document must not give the name {name} to what has a name already.":
    "Ein Kontext des Dokuments darf den Namen {name} nicht für etwas vergeben, das schon einen Namen hat.",

  // Tokens.
  "The token is not a JWT.": "Das Token ist kein JWT.",
  "The token does not hold JSON.": "Das Token enthält kein JSON.",
  "The token does not hold an object.": "Das Token enthält kein Objekt.",
  "The token's kid is not a text.": "kid des Tokens ist kein Text.",
  "The token has the header b64, which a JWT must not have (RFC 7797, section 7).":
    "Das Token hat den Header b64, den ein JWT nicht haben darf (RFC 7797, Abschnitt 7).",
  "The token demands by crit that {extensions} be understood, which is not known here.":
    "Das Token verlangt mit crit, dass {extensions} verstanden wird, was hier nicht bekannt ist.",
  "The token is of the type {type}, which is not read here ({known} is).":
    "Das Token hat den Typ {type}, der hier nicht gelesen wird (gelesen wird {known}).",
  "The token is signed with {algorithm}, which is not accepted ({known} are).":
    "Das Token ist mit {algorithm} signiert, was nicht akzeptiert wird (akzeptiert werden {known}).",
  "The token is signed with {algorithm}, which is not known here ({known} are).":
    "Das Token ist mit {algorithm} signiert, was hier nicht bekannt ist (bekannt sind {known}).",
  "The token does not say who issued it.": "Das Token sagt nicht, wer es ausgestellt hat.",
  "The token does not say with which of the issuer's keys it was signed.":
    "Das Token sagt nicht, mit welchem Schlüssel des Ausstellers es signiert wurde.",
  "The token names another issuer than the credential within.":
    "Das Token nennt einen anderen Aussteller als der Nachweis darin.",
  "The token has another id than the credential within.": "Das Token hat eine andere Kennung als der Nachweis darin.",
  "The token names another subject than the credential within.":
    "Das Token nennt eine andere Person oder Sache als der Nachweis darin.",
  "The token holds a document of VCDM 2.0 in the claim {name}, which only VCDM 1.1 has.":
    "Das Token enthält ein Dokument nach VCDM 2.0 im Claim {name}, den nur VCDM 1.1 hat.",
  "The claim {name} of the token is not an object.": "Der Claim {name} des Tokens ist kein Objekt.",
  "The claim {name} of the token is {value}, and must be a number of seconds since 1970, up to the year 9999.":
    "Der Claim {name} des Tokens ist {value} und muss eine Zahl von Sekunden seit 1970 sein, bis zum Jahr 9999.",
  "The claim {name} of the token is {value}, and must be a text.":
    "Der Claim {name} des Tokens ist {value} und muss ein Text sein.",
  "The claim {name} of the token is {value}, and must be a text or a list of texts.":
    "Der Claim {name} des Tokens ist {value} und muss ein Text oder eine Liste von Texten sein.",
  "A time in the token is before the year 1.": "Eine Zeitangabe im Token liegt vor dem Jahr 1.",

  // Proofs.
  "The document has no proof.": "Das Dokument hat keinen Beweis (proof).",
  "A proof is not an object.": "Ein Beweis (proof) ist kein Objekt.",
  "A proof has no type.": "Ein Beweis (proof) hat keinen Typ.",
  "A proof names no cryptosuite.": "Ein Beweis (proof) nennt keine cryptosuite.",
  "A proof does not name its key by a URL.": "Ein Beweis (proof) nennt seinen Schlüssel nicht durch eine URL.",
  "The value of a proof is not multibase in base58btc.":
    "Der Wert eines Beweises (proof) ist kein Multibase in base58btc.",
  "A value is not valid multibase.": "Ein Wert ist kein gültiges Multibase.",
  "A value is not multibase in base58btc (z) or base64url (u).":
    "Ein Wert ist kein Multibase in base58btc (z) oder base64url (u).",
  "The signature is of the kind {kind}, which is not known here ({known} are).":
    "Die Signatur ist von der Art {kind}, die hier nicht bekannt ist (bekannt sind {known}).",
  "The signature is of the kind {kind}, which is not known here.":
    "Die Signatur ist von der Art {kind}, die hier nicht bekannt ist.",
  "A signature of the kind {kind} cannot be made with a key of this kind.":
    "Eine Signatur der Art {kind} lässt sich mit einem Schlüssel dieser Art nicht erzeugen.",
  "The proof was made by {signer}, and not by the issuer.":
    "Der Beweis (proof) stammt von {signer} und nicht vom Aussteller.",
  "The proof does not say what it was made for: it has no proofPurpose, which must be {purpose}.":
    "Der Beweis (proof) sagt nicht, wofür er gemacht wurde: Ihm fehlt proofPurpose, das {purpose} sein muss.",
  "The proof was made for {purpose}, not for {expected}.":
    "Der Beweis (proof) wurde für {purpose} gemacht, nicht für {expected}.",
  "The proof's {name} is not a text.": "{name} des Beweises (proof) ist kein Text.",
  "The proof's domain is neither a text nor a list of texts.":
    "domain des Beweises (proof) ist weder ein Text noch eine Liste von Texten.",
  "The proof's {name} is not a date and time with a time zone.":
    "{name} des Beweises (proof) ist kein Zeitpunkt mit Zeitzone.",
  "The proof has expired.": "Der Beweis (proof) ist abgelaufen.",
  "The proof answers another challenge.": "Der Beweis (proof) gehört zu einer anderen Anfrage (challenge).",
  "The proof was made for another domain.": "Der Beweis (proof) wurde für eine andere Domain gemacht.",
  "The proof names an earlier proof that is not there.":
    "Der Beweis (proof) nennt einen früheren Beweis, der nicht vorhanden ist.",
  "The contexts of the proof are not those with which the document begins.":
    "Die Kontexte des Beweises (proof) sind nicht die, mit denen das Dokument beginnt.",

  // The issuer and its keys.
  "The issuer is named neither by a DID nor by an https URL, but by {name}. Its keys cannot be looked up here.":
    "Der Aussteller ist weder durch eine DID noch durch eine https-URL benannt, sondern durch {name}. Seine Schlüssel lassen sich hier nicht nachschlagen.",
  "The issuer is named neither by a DID nor by an https URL, so its keys cannot be found.":
    "Der Aussteller ist weder durch eine DID noch durch eine https-URL benannt, deshalb lassen sich seine Schlüssel nicht finden.",
  "Issuers of the method did:{method} cannot be looked up here (did:web, did:key and did:jwk can).":
    "Aussteller der Methode did:{method} lassen sich hier nicht nachschlagen (nur did:web, did:key und did:jwk).",
  "The issuer's did:web is malformed.": "Die did:web des Ausstellers ist fehlerhaft.",
  "The issuer's did:jwk does not hold a JWK.": "Die did:jwk des Ausstellers enthält kein JWK.",
  "The issuer's DID document does not name the key {key} for issuing credentials.":
    "Das DID-Dokument des Ausstellers nennt den Schlüssel {key} nicht für das Ausstellen von Nachweisen.",
  "The issuer's DID document does not name the key {key} for authentication.":
    "Das DID-Dokument des Ausstellers nennt den Schlüssel {key} nicht für die Authentifizierung.",
  "The key is controlled by somebody else than its DID document.":
    "Der Schlüssel gehört jemand anderem als sein DID-Dokument.",
  "The issuer's key was revoked, at a time that cannot be read.":
    "Der Schlüssel des Ausstellers wurde widerrufen, zu einem unlesbaren Zeitpunkt.",
  "The issuer's key expired, at a time that cannot be read.":
    "Der Schlüssel des Ausstellers ist abgelaufen, zu einem unlesbaren Zeitpunkt.",
  "The issuer's key of the type {type} is in a form that is not supported.":
    "Der Schlüssel des Ausstellers vom Typ {type} hat eine Form, die nicht unterstützt wird.",
  "The issuer's key is of a kind that is not known here.":
    "Der Schlüssel des Ausstellers ist von einer Art, die hier nicht bekannt ist.",
  "The issuer's key is of a kind that is not known here ({known} and RSA are).":
    "Der Schlüssel des Ausstellers ist von einer Art, die hier nicht bekannt ist (bekannt sind {known} und RSA).",
  "The issuer's key is not a valid JWK.": "Der Schlüssel des Ausstellers ist kein gültiges JWK.",
  "The issuer published a private key, so anyone may have signed.":
    "Der Aussteller hat einen privaten Schlüssel veröffentlicht, also kann jeder signiert haben.",
  "The key is not multibase in base58btc (z).": "Der Schlüssel ist kein Multibase in base58btc (z).",
  "The key is of a kind that is not known here (Ed25519, P-256 and P-384 are).":
    "Der Schlüssel ist von einer Art, die hier nicht bekannt ist (bekannt sind Ed25519, P-256 und P-384).",
  "The {kind} key does not have {n} bytes.": "Der Schlüssel der Art {kind} hat nicht {n} Bytes.",
  "The {kind} key is not a point of its curve.": "Der Schlüssel der Art {kind} ist kein Punkt seiner Kurve.",

  // Documents of the issuer.
  "The issuer's status list": "Die Statusliste des Ausstellers",
  "The issuer's revocation list": "Die Widerrufsliste des Ausstellers",
  "The document with the issuer's keys": "Das Dokument mit den Schlüsseln des Ausstellers",
  "{what} could not be fetched. {why}": "{what} konnte nicht abgerufen werden. {why}",
  "{what} could not be fetched.": "{what} konnte nicht abgerufen werden.",
  "{what} is larger than {n} bytes.": "{what} ist größer als {n} Bytes.",
  "{what} is not a text in UTF-8.": "{what} ist kein Text in UTF-8.",
  "{what} is not served as JSON, so it may be a file that anyone put there.":
    "{what} wird nicht als JSON ausgeliefert, kann also eine Datei sein, die irgendjemand dort abgelegt hat.",
  "The document with the issuer's keys at {url} is not that of {issuer}.":
    "Das Dokument mit den Schlüsseln des Ausstellers unter {url} ist nicht das von {issuer}.",
  "The issuer's status list is not a {type}.": "Die Statusliste des Ausstellers ist keine {type}.",
  "The issuer's status list was issued by somebody else than the credential.":
    "Die Statusliste wurde von jemand anderem ausgestellt als der Nachweis.",
  "The issuer's status list holds no list.": "Die Statusliste des Ausstellers enthält keine Liste.",
  "The issuer's revocation list holds no list of revoked credentials.":
    "Die Widerrufsliste des Ausstellers enthält keine Liste widerrufener Nachweise.",
  "The issuer's revocation list is not one of this issuer.":
    "Die Widerrufsliste des Ausstellers ist keine dieses Ausstellers.",

  // Status lists.
  "The credential names more than {n} places of its status.": "Der Nachweis nennt mehr als {n} Orte seines Status.",
  "The status is of the kind {kind}, which is not known here ({known} are).":
    "Der Status ist von der Art {kind}, die hier nicht bekannt ist (bekannt sind {known}).",
  "The issuer's list on {purpose} is not set.": "Die Liste des Ausstellers zu {purpose} ist nicht gesetzt.",
  "The issuer's list on {purpose} is set.": "Die Liste des Ausstellers zu {purpose} ist gesetzt.",
  "The issuer's list on {purpose} is set: {message}": "Die Liste des Ausstellers zu {purpose} ist gesetzt: {message}",
  "The issuer's status list is malformed: its {why}": "Die Statusliste des Ausstellers ist fehlerhaft: {why}",
  "The issuer's status list is not about {purpose}.": "Die Statusliste des Ausstellers handelt nicht von {purpose}.",
  "The status list is not multibase in base64url (u).": "Die Statusliste ist kein Multibase in base64url (u).",
  "The status list cannot be unpacked.": "Die Statusliste lässt sich nicht entpacken.",
  "The status list has fewer than {n} entries, so it would tell holders apart.":
    "Die Statusliste hat weniger als {n} Einträge, würde also einzelne Personen erkennbar machen.",
  "The credential names a place outside of the status list.":
    "Der Nachweis nennt eine Stelle außerhalb der Statusliste.",
  "It answers another challenge.": "Es gehört zu einer anderen Anfrage (challenge).",
  "It was made for another domain.": "Es wurde für eine andere Domain gemacht.",
  "It is not signed, so anybody may have written it.": "Sie ist nicht signiert, also kann jeder sie geschrieben haben.",

  // Requests to the issuer.
  "The name has no address.": "Der Name hat keine Adresse.",
  "The name servers did not answer.": "Die Nameserver haben nicht geantwortet.",
  "The name leads to a private or reserved address, which is not called.":
    "Der Name führt zu einer privaten oder reservierten Adresse, die nicht aufgerufen wird.",
  "The URL points to a private or reserved address, which is not called.":
    "Die URL führt zu einer privaten oder reservierten Adresse, die nicht aufgerufen wird.",
  "The URL must begin with https://.": "Die URL muss mit https:// beginnen.",
  "The URL must begin with https:// or http://.": "Die URL muss mit https:// oder http:// beginnen.",
  "The URL must not hold a user name or password.": "Die URL darf weder Benutzername noch Passwort enthalten.",
  "The URL must not have a fragment (#…).": "Die URL darf keinen Fragmentteil (#…) haben.",
  "The URL's host is not a name that can exist.": "Der Host der URL ist kein Name, den es geben kann.",
  "Port {port} belongs to another protocol and is not called.":
    "Port {port} gehört zu einem anderen Protokoll und wird nicht aufgerufen.",
  "This is not a host name or an address.": "Das ist weder ein Hostname noch eine Adresse.",
  "This is not a URL that can be read.": "Das ist keine lesbare URL.",
  "There was no connection within {n} s.": "Innerhalb von {n} s kam keine Verbindung zustande.",
  "There was no complete answer within {n} s.": "Innerhalb von {n} s kam keine vollständige Antwort.",
  "The connection could not be made.": "Die Verbindung kam nicht zustande.",
  "The connection was given up.": "Die Verbindung wurde aufgegeben.",
  "The connection broke off before the answer was complete.":
    "Die Verbindung brach ab, bevor die Antwort vollständig war.",
  "The server refused the connection.": "Der Server hat die Verbindung abgelehnt.",
  "The server's network cannot be reached.": "Das Netz des Servers ist nicht erreichbar.",
  "The server did not answer the connection attempt.": "Der Server hat auf den Verbindungsversuch nicht geantwortet.",
  "The server ended the TLS session.": "Der Server hat die TLS-Sitzung beendet.",
  "The TLS handshake failed.": "Der TLS-Handshake ist gescheitert.",
  "The server's certificate has expired.": "Das Zertifikat des Servers ist abgelaufen.",
  "The server's certificate is not valid yet.": "Das Zertifikat des Servers ist noch nicht gültig.",
  "The server's certificate was revoked.": "Das Zertifikat des Servers wurde widerrufen.",
  "The server's certificate is self-signed.": "Das Zertifikat des Servers ist selbst signiert.",
  "The server's certificate comes from an authority that is not trusted.":
    "Das Zertifikat des Servers kommt von einer Stelle, der nicht vertraut wird.",
  "The server's certificate chain is incomplete or not trusted.":
    "Die Zertifikatskette des Servers ist unvollständig oder nicht vertrauenswürdig.",
  "The server's certificate is for another name.": "Das Zertifikat des Servers gilt für einen anderen Namen.",
  "The answer is not valid HTTP.": "Die Antwort ist kein gültiges HTTP.",
  "The server answered with a redirect ({status}), which is not followed.":
    "Der Server hat mit einer Weiterleitung geantwortet ({status}), der nicht gefolgt wird.",
  "The server answered with status {status}.": "Der Server hat mit dem Status {status} geantwortet.",
};
