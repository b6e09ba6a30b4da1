import type { OverridablePassProps } from "passkit-generator";
import { builtInWord, type BuiltInWord } from "@/server/core/built-in-words";
import { formatUntil } from "@/server/core/dates";
import { env } from "@/server/core/env";
import { formatCode } from "@/server/credentials/code";
import { verifyUrl } from "@/server/credentials/view";
import { fieldText } from "@/server/templates/field-text";
import { paletteOf } from "@/server/templates/palette";
import type { Verification } from "@/server/verification/view";
import { regionOf } from "@/server/verification/evidence";
import type { PassFacts } from "../load-pass-facts";
import { stateSentence, stateWord } from "../state-words";
import { barcodesOf } from "./barcodes";
import type { PassDocument, PassField } from "./sign-pass";

/** How many fields Wallet shows in one row on the front. */
const perRow = 4;

/** How many fields a poster shows above its barcode, besides the name. */
const onPoster = 3;

/** The identity of a pass, and the token with which a phone requests its updates. */
export interface PassReference {
  serial: string;
  token: string;
  passTypeId: string;
  teamId: string;
}

/**
 * Writes the content of pass.json in two styles: `generic` for every phone and `posterGeneric` for iOS 27 and later. If
 * the credential is not valid, the pass is voided and has no barcode. The same facts always give the same document, so
 * the signed file can be cached.
 */
export function passDocument(facts: PassFacts, reference: PassReference): PassDocument {
  const { evidence, verification, design } = facts;
  const { credential } = verification;
  const region = regionOf(evidence);
  const say = (word: BuiltInWord) => builtInWord(word, region.locale);
  const colors = paletteOf(evidence.kind, design.colors);
  const holder = credential.subject.displayName;
  const isValid = verification.result === "valid";
  const written = (side: Verification["credential"]["fields"]) =>
    side
      .map((field) => ({ key: `field.${field.key}`, label: field.label, value: fieldText(field, region) }))
      .filter(({ value }) => value !== "");
  const isOnBack = ({ key }: { key: string }) => design.backKeys.includes(key);
  const fields = written(credential.fields.filter((field) => !isOnBack(field)));
  const ends: PassField[] = evidence.expires_at
    ? [{ key: "ends", label: say("Valid through"), value: formatUntil(evidence.expires_at, region) }]
    : [];
  const front = [...fields, ...ends];
  const header: PassField[] = isValid
    ? []
    : [{ key: "status", label: say("Status"), value: say(stateWord(verification)) }];
  const primary: PassField[] = [
    holder
      ? { key: "holder", label: evidence.title, value: holder }
      : { key: "holder", label: evidence.issuer_name, value: evidence.title },
  ];
  const back = [
    ...front.slice(2 * perRow),
    ...written(credential.fields.filter(isOnBack)),
    {
      key: "state",
      label: say("Status"),
      value: stateSentence(verification, evidence.suspension_reason, region.locale),
      changeMessage: `${evidence.title}: %@`,
    },
    { key: "issuer", label: say("Issued by"), value: evidence.issuer_name },
    { key: "code", label: say("Code"), value: formatCode(evidence.code) },
    { key: "page", label: say("Check it"), value: verifyUrl(evidence.code) },
  ];
  return {
    props: {
      formatVersion: 1,
      passTypeIdentifier: reference.passTypeId,
      teamIdentifier: reference.teamId,
      serialNumber: reference.serial,
      authenticationToken: reference.token,
      webServiceURL: `${env().PUBLIC_URL}/wallet/apple`,
      organizationName: evidence.issuer_name,
      description: `${evidence.title}, ${evidence.issuer_name}`,
      // A logo takes the place of this text.
      ...(!design.logo && { logoText: evidence.issuer_name }),
      backgroundColor: rgb(colors.background),
      foregroundColor: rgb(colors.foreground),
      labelColor: rgb(colors.accent),
      // A pass belongs to one person. To share a credential, its holder shares the public page.
      sharingProhibited: true,
      ...(!isValid && { voided: true }),
    } satisfies OverridablePassProps,
    expiresAt: evidence.expires_at,
    barcodes: barcodesOf(facts),
    generic: {
      header,
      primary,
      secondary: front.slice(0, perRow),
      auxiliary: front.slice(perRow, 2 * perRow),
      back,
    },
    poster: {
      header: header.length > 0 ? header : [{ key: "kind", label: "", value: evidence.title }],
      primary: [...primary, ...fields.slice(0, onPoster)],
      footer: ends,
      back: [...fields.slice(onPoster), ...back.slice(front.slice(2 * perRow).length)],
    },
  };
}

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;
