import type { Region } from "@/server/core/dates";
import { fieldsOf, isSearchable, namesHolder, signsQr, type Design, type DesignField } from "@/server/templates/design";
import { inLocale } from "@/server/templates/fields";
import type { Validity } from "@/server/templates/validity";
import { validityWords } from "./validity-words";

interface Version {
  design: Design;
  validity: Validity;
  achievementId: string | null;
}

/** Describes in sentences the differences between two versions of a template; empty if they are equal. */
export function changesOf(before: Version, after: Version, region: Region): string[] {
  const [was, is] = [before.design, after.design];
  const validity = [before, after].map((each) => validityWords(each.validity, region));
  return [
    ...(["background", "foreground", "accent"] as const).flatMap((name) =>
      replaced(
        `The ${colourNames[name]} colour`,
        was.colors?.[name] ?? "the default",
        is.colors?.[name] ?? "the default",
      ),
    ),
    ...replaced("The typeface", was.font ?? "the default", is.font ?? "the default"),
    ...picture("The logo", was.logo, is.logo),
    ...picture("The picture of the front", was.front?.background, is.front?.background),
    ...picture("The picture of the back", was.back?.background, is.back?.background),
    ...fieldChanges(was, is, region),
    ...(namesHolder(was) === namesHolder(is)
      ? []
      : [namesHolder(is) ? "The public sees the holder’s name now." : "The public no longer sees the holder’s name."]),
    ...(isSearchable(was) === isSearchable(is)
      ? []
      : [
          isSearchable(is)
            ? "Search engines may list public pages now."
            : "Search engines may no longer list public pages.",
        ]),
    ...(Boolean(was.photoApproval) === Boolean(is.photoApproval)
      ? []
      : [is.photoApproval ? "Photos must be approved now." : "Photos need no approval any more."]),
    ...(["apple", "google"] as const).flatMap((wallet) =>
      Boolean(was.wallet?.[wallet]) === Boolean(is.wallet?.[wallet])
        ? []
        : [
            is.wallet?.[wallet]
              ? `People can add it to ${walletNames[wallet]} now.`
              : `People can no longer add it to ${walletNames[wallet]}.`,
          ],
    ),
    ...(same(was.wallet?.barcode, is.wallet?.barcode) ? [] : ["The barcode in wallets is different now."]),
    ...(signsQr(was) === signsQr(is)
      ? []
      : [signsQr(is) ? "The QR code is signed now." : "The QR code is no longer signed."]),
    ...replaced("The validity", validity[0]!, validity[1]!),
    ...(before.achievementId === after.achievementId ? [] : ["Credentials state another achievement."]),
  ];
}

const walletNames = { apple: "Apple Wallet", google: "Google Wallet" };
const colourNames = { background: "background", foreground: "text", accent: "accent" };

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const replaced = (what: string, was: string, is: string) => (was === is ? [] : [`${what}: ${is} instead of ${was}.`]);

function picture(what: string, was: string | undefined, is: string | undefined): string[] {
  if (was === is) return [];
  return [`${what} ${was === undefined ? "is new" : is === undefined ? "is removed" : "is another one"}.`];
}

function fieldChanges(was: Design, is: Design, region: Region): string[] {
  const [before, after] = [fieldsOf(was), fieldsOf(is)];
  const nameOf = ({ label, key }: DesignField) => `“${inLocale(label ?? "", region.locale) || key}”`;
  const removed = before.filter(({ key }) => !after.some((each) => each.key === key));
  const kept = after.filter(({ key }) => before.some((each) => each.key === key)).map(({ key }) => key);
  const moved = !same(
    kept,
    before.map(({ key }) => key).filter((key) => kept.includes(key)),
  );
  return [
    ...removed.map((field) => `The field ${nameOf(field)} is removed.`),
    ...after.flatMap((field) => {
      const old = before.find(({ key }) => key === field.key);
      const name = nameOf(field);
      const isPublic = is.publicFields?.includes(field.key) ?? false;
      if (!old) return [`The field ${name} is new, on the ${sideOf(is, field)}${isPublic ? ", and public" : ""}.`];
      const wasPublic = was.publicFields?.includes(field.key) ?? false;
      return [
        ...(nameOf(old) === name ? [] : [`The field ${nameOf(old)} is called ${name} now.`]),
        ...(nameOf(old) !== name || same(old.label, field.label) ? [] : [`The field ${name} has other translations.`]),
        ...(old.binding === field.binding && same(old.text, field.text)
          ? []
          : [`The field ${name} shows something else.`]),
        ...(same(old.format, field.format) ? [] : [`The field ${name} is written in another way.`]),
        ...(sideOf(was, old) === sideOf(is, field)
          ? []
          : [`The field ${name} stands on the ${sideOf(is, field)} now.`]),
        ...(same([old.width, old.position], [field.width, field.position])
          ? []
          : [`The field ${name} has another place or width.`]),
        ...(wasPublic === isPublic
          ? []
          : [isPublic ? `Anyone may see the field ${name} now.` : `The public no longer sees the field ${name}.`]),
      ];
    }),
    ...(moved ? ["The fields stand in another order."] : []),
  ];
}

const sideOf = (design: Design, { key }: DesignField) =>
  design.front?.fields.some((each) => each.key === key) ? "front" : "back";
