import { isObject, listOf, type JsonObject } from "../json";

// Names common documents and files that people take for a credential but that cannot be read here, and says what to do
// instead.

const openBadges2 =
  "This is an Open Badge of version 2.0 or earlier. It is not signed in a way that can be checked here: follow its link to the issuer’s own page, which says whether it holds.";
const sdJwt = "This is an SD-JWT credential, which wallets show. It cannot be checked here.";
const presentation =
  "This is a presentation, the envelope in which a wallet hands over credentials. Choose the credential within it.";

/** Says what a text is that is neither JSON nor a JWT; null if it is unknown. */
export function otherText(text: string): string | null {
  if (text === "") return "There is nothing in it: it is empty.";
  if (/^[\w-]+\.[\w-]+\.[\w-]+~/.test(text)) return sdJwt;
  return null;
}

/** Says what a JSON document is that is no credential; null if it is unknown. */
export function otherDocument(document: JsonObject): string | null {
  const types = listOf(document["type"]);
  if (types.includes("VerifiablePresentation") || types.includes("EnvelopedVerifiablePresentation"))
    return presentation;
  if (isOpenBadges2(document)) return openBadges2;
  return null;
}

/** Says by its first bytes what a file is that is neither a text nor a PNG, SVG or PDF; null if it is unknown. */
export function otherFile(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (/^(?:\xff\xd8\xff|GIF8|RIFF....WEBP)/s.test(head) || /^....ftyp(?:hei|mif|avif)/s.test(head))
    return "This is a photo or a picture that cannot hold a credential: only a PNG or an SVG can.";
  if (head.startsWith("PK\x03\x04")) return "This is a packed file, such as a ZIP or a document of an office program.";
  return null;
}

/** The message for a picture that holds a badge of version 2.0 or earlier. */
export const bakedOpenBadges2 = openBadges2;

const oldTypes = ["Assertion", "BadgeClass", "Endorsement"];

function isOpenBadges2(document: JsonObject): boolean {
  const contexts = listOf(document["@context"]);
  if (contexts.some((context) => typeof context === "string" && context.startsWith("https://w3id.org/openbadges/")))
    return true;
  return (
    contexts.length === 0 &&
    (listOf(document["type"]).some((type) => oldTypes.includes(String(type))) ||
      ("badge" in document && (isObject(document["verify"]) || isObject(document["verification"]))))
  );
}
