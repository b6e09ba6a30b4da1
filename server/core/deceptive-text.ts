/** Embeddings, overrides and isolates: they display text in another order than it is stored, e.g. "Ada \u202Eecila". */
const directionOverride = /[\u202A-\u202E\u2066-\u2069]/g;
/**
 * Invisible marks that set the direction of neighbouring characters. Only right-to-left writing needs them.
 */
const directionMark = /[\u200E\u200F\u061C]/;
const rightToLeftLetter =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/**
 * Characters without width that no script needs in a name: soft hyphen, Mongolian vowel separator, zero-width space and
 * no-break space (BOM), word joiner and invisible operators, deprecated format characters, interlinear annotation,
 * tags, and the line and paragraph separators. The joiners U+200C and U+200D, which many scripts and emoji need, are
 * not among them.
 */
const invisible = /[\u00AD\u180E\u200B\u2028\u2029\u2060-\u2064\u206A-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
/** Flags of regions, such as those of England and Scotland: the only valid use of tags. */
const regionalFlag = /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu;
/**
 * Characters that show nothing: spaces, default-ignorable characters such as the Hangul fillers, and the empty Braille
 * pattern.
 */
const blank = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text holds invisible characters that change its direction (Unicode TR 36). */
export function changesDirection(text: string): boolean {
  return text.search(directionOverride) >= 0 || (directionMark.test(text) && !rightToLeftLetter.test(text));
}

/** Whether a text holds invisible characters, which make different texts look the same. */
export const holdsInvisible = (text: string): boolean => invisible.test(text.replaceAll(regionalFlag, ""));

/** Whether a text can be mistaken for another one. */
export const deceives = (text: string): boolean => changesDirection(text) || holdsInvisible(text);

/** Whether a text looks empty but is not. */
export const looksEmpty = (text: string): boolean => text !== "" && text.replaceAll(blank, "") === "";

/**
 * Removes embeddings, overrides and isolates from all texts of a value at any depth, so that it can be shown safely.
 */
export const withoutOverrides = (value: unknown): unknown =>
  inTexts(value, (text) => text.replaceAll(directionOverride, ""));

/** Control characters, except tabs and line ends. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/**
 * Makes untrusted text safe to show: as withoutOverrides, and removes control characters and lone surrogates, which
 * many programs refuse.
 */
export const presentable = <T>(value: T): T =>
  inTexts(value, (text) => text.replaceAll(directionOverride, "").replaceAll(control, "").toWellFormed()) as T;

function inTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((inner) => inTexts(inner, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inTexts(inner, change)]));
}
