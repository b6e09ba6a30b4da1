/** Embeddings, overrides and isolates: they make text read otherwise than it is stored, e.g. "Ada \u202Eecila". */
const directionOverride = /[\u202A-\u202E\u2066-\u2069]/g;
/**
 * Invisible marks that set the direction of what stands beside them. Right-to-left writing needs them; other text does
 * not.
 */
const directionMark = /[\u200E\u200F\u061C]/;
const rightToLeftLetter =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/**
 * Characters that take no room and that no script needs within a name: soft hyphen, Mongolian vowel separator,
 * zero-width space and no-break space (BOM), word joiner and invisible operators, deprecated format characters,
 * interlinear annotation, tags; and the line and paragraph separators. The joiners U+200C and U+200D are not among
 * them: many scripts and emoji need them.
 */
const invisible = /[\u00AD\u180E\u200B\u2028\u2029\u2060-\u2064\u206A-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
/** The one use of tags: flags of regions, such as those of England and Scotland. */
const regionalFlag = /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu;
/**
 * What leaves no trace on paper: spaces, characters that are ignored where they cannot be shown (Hangul fillers among
 * them), and the empty Braille pattern.
 */
const blank = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text holds characters that change the direction of the text without being seen (Unicode TR 36). */
export function changesDirection(text: string): boolean {
  return text.search(directionOverride) >= 0 || (directionMark.test(text) && !rightToLeftLetter.test(text));
}

/** Whether a text holds characters that nobody sees, so that two texts which look the same differ. */
export const holdsInvisible = (text: string): boolean => invisible.test(text.replaceAll(regionalFlag, ""));

/** Whether a text looks like another one. */
export const deceives = (text: string): boolean => changesDirection(text) || holdsInvisible(text);

/** Whether a text looks empty and is not. */
export const looksEmpty = (text: string): boolean => text !== "" && text.replaceAll(blank, "") === "";

/** A value as it may be shown to strangers: without embeddings, overrides and isolates, in texts however deep. */
export const withoutOverrides = (value: unknown): unknown =>
  inTexts(value, (text) => text.replaceAll(directionOverride, ""));

/** Control characters but tabs and ends of lines. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/**
 * What a stranger wrote, as it may be shown: also without control characters and halves of surrogate pairs, which many
 * programs refuse.
 */
export const presentable = <T>(value: T): T =>
  inTexts(value, (text) => text.replaceAll(directionOverride, "").replaceAll(control, "").toWellFormed()) as T;

function inTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((inner) => inTexts(inner, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inTexts(inner, change)]));
}
