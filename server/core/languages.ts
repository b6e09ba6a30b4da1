/** The languages of the public pages, which a reader's browser may ask for. The first is the default. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

const locales: Record<Language, string> = { en: "en-GB", de: "de-DE" };

/** The language in which a page of ours calls the API, so that dates and labels of the answer match the page. */
export const pageLanguageHeader = "x-page-language";

/** Returns the language that a text names; undefined for any other text. */
export const languageNamed = (text: string | null): Language | undefined => languages.find((each) => each === text);

const read = new Map<string, Language>();
/** There are few different headers in practice, but a flood of invented ones must not fill the memory. */
const keptHeaders = 500;

/** Returns the supported language that an Accept-Language header prefers (RFC 9110, section 12.5.4). */
export function languageOf(header: string | null): Language {
  if (!header) return languages[0];
  let language = read.get(header);
  if (language === undefined) {
    language = preferred(header.slice(0, 500));
    if (read.size >= keptHeaders) read.clear();
    read.set(header, language);
  }
  return language;
}

function preferred(header: string): Language {
  let best: Language = languages[0];
  let bestQuality = 0;
  for (const range of header.split(",")) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const language = languages.find((each) => tag === each || tag.startsWith(`${each}-`));
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = q === undefined ? 1 : Number(q.slice(2)) || 0;
    if (language !== undefined && quality > bestQuality) [best, bestQuality] = [language, quality];
  }
  return best;
}

/** The locale in which those read who chose a language on no page of an organisation. */
export const localeOf = (language: Language = languages[0]): string => locales[language];

/** The locale in which a page of this language writes dates: the organisation's own, where that is of the language. */
export const localeIn = (language: Language, own: string): string =>
  own.slice(0, 2).toLowerCase() === language ? own : locales[language];
