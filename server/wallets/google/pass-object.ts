import { builtInWord, type BuiltInWord } from "@/server/core/built-in-words";
import { formatUntil } from "@/server/core/dates";
import { formatCode } from "@/server/credentials/code";
import { verifyUrl } from "@/server/credentials/view";
import type { GooglePictureName } from "@/server/drawing/google-picture";
import { fieldText } from "@/server/templates/field-text";
import { paletteOf } from "@/server/templates/palette";
import { regionOf } from "@/server/verification/evidence";
import { barcodeValue } from "../barcode-value";
import type { PassFacts } from "../load-pass-facts";
import { stateSentence, stateWord } from "../state-words";
import { googlePictureUrl } from "./pictures";

const barcodeTypes = { code39: "CODE_39", codabar: "CODABAR" } as const;

/** The state of a pass at Google. EXPIRED passes move to the archive of the app. */
export type GoogleState = "ACTIVE" | "INACTIVE" | "EXPIRED";

/**
 * Writes the complete content of a pass (walletobjects v1, GenericObject). Null values delete what an earlier version of
 * the pass had, because PATCH merges. The same facts always give the same content.
 */
export function passObject(facts: PassFacts) {
  const { evidence, verification, design } = facts;
  const { credential } = verification;
  const region = regionOf(evidence);
  const text = (value: string) => ({ defaultValue: { language: region.locale, value } });
  const holder = credential.subject.displayName;
  const state = googleState(facts);
  const ends = evidence.expires_at;
  const picture = (name: GooglePictureName, has: string | null | undefined, description: string) => {
    const uri = has && googlePictureUrl(evidence.template_version_id, name);
    return uri ? { sourceUri: { uri }, contentDescription: text(description) } : null;
  };
  return {
    genericType: "GENERIC_OTHER",
    state,
    cardTitle: text(evidence.issuer_name),
    subheader: holder ? text(evidence.title) : null,
    header: text(holder || evidence.title),
    logo: picture("logo", design.logo, evidence.issuer_name),
    heroImage: picture("hero", design.background, evidence.title),
    hexBackgroundColor: paletteOf(evidence.kind, design.colors).background,
    barcode: state === "ACTIVE" ? barcodeOf(facts) : null,
    validTimeInterval: ends && !evidence.erased_at ? { end: { date: ends.toISOString() } } : null,
    textModulesData: evidence.erased_at ? [] : textsOf(facts),
    linksModuleData: {
      uris: [{ id: "page", uri: verifyUrl(evidence.code), description: builtInWord("Check it", evidence.locale) }],
    },
  };
}

export type PassContent = ReturnType<typeof passObject>;

/** EXPIRED if the credential can't become valid again or its holder was erased; INACTIVE if it can. */
function googleState({ evidence, verification }: PassFacts): GoogleState {
  if (evidence.erased_at) return "EXPIRED";
  if (verification.result === "valid") return "ACTIVE";
  const hasEnded =
    verification.state === "revoked" || verification.state === "expired" || verification.reason === "superseded";
  return hasEnded ? "EXPIRED" : "INACTIVE";
}

/** The texts of a pass. The class places `status` and `front_1` to `front_4` on the front (pass-class.ts); the details list the rest. */
function textsOf({ evidence, verification }: PassFacts) {
  const region = regionOf(evidence);
  const say = (word: BuiltInWord) => builtInWord(word, region.locale);
  const fields = verification.credential.fields
    .map((field) => ({ header: field.label, body: fieldText(field, region) }))
    .filter(({ body }) => body !== "");
  const ends = evidence.expires_at
    ? [{ header: say("Valid through"), body: formatUntil(evidence.expires_at, region) }]
    : [];
  const state = { header: say("Status"), body: stateSentence(verification, evidence.suspension_reason, region.locale) };
  return [
    ...(verification.result === "valid" ? [] : [{ id: "status", ...state }]),
    ...[...fields, ...ends].map((each, at) => ({ id: `front_${at + 1}`, ...each })),
    { id: "issuer", header: say("Issued by"), body: evidence.issuer_name },
    { id: "code", header: say("Code"), body: formatCode(evidence.code) },
  ];
}

function barcodeOf(facts: PassFacts) {
  const own = barcodeValue(facts);
  if (own) return { type: barcodeTypes[own.format], value: own.value, alternateText: own.value };
  const { code } = facts.evidence;
  return { type: "QR_CODE", value: facts.scanText, alternateText: formatCode(code) };
}

/** The state as a word, stored in the column `told`: a different word means that phones get a message. */
export const stateWordOf = ({ evidence, verification }: PassFacts): string =>
  evidence.erased_at ? "Erased" : stateWord(verification);

/** The message on a phone's lock screen after a change of state. */
export function noticeOf({ evidence, verification }: PassFacts): { header: string; body: string } {
  const { locale } = evidence;
  const sentence = stateSentence(verification, evidence.suspension_reason, locale);
  return {
    header: evidence.title,
    body: verification.result === "valid" ? builtInWord("Valid again", locale) : sentence,
  };
}
