/** The parts of a piece of evidence that people read. */
export interface EvidenceText {
  name?: string | undefined;
  /** What kind of thing it is, such as Thesis. */
  genre?: string | undefined;
  /** Markdown. */
  narrative?: string | undefined;
  description?: string | undefined;
  url?: string | undefined;
}

/** Writes a piece of evidence as Markdown: name and kind, then what it shows, then its link. Empty if it has none of them. */
export function evidenceText({ name, genre, narrative, description, url }: EvidenceText): string {
  const title = name && genre ? `${name} (${genre})` : (name ?? genre);
  return [title, narrative ?? description, url && linked(url)].filter(Boolean).join("\n\n");
}

/** In Markdown, a bare address becomes a link only in angle brackets. */
const linked = (url: string): string => (/^https?:\/\/[^\s<>]+$/i.test(url) ? `<${url}>` : url);

/** The pieces of evidence in the data of a credential. */
export function evidenceIn(value: unknown): EvidenceText[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => typeof each === "object" && each !== null) as EvidenceText[];
}

/** Returns the one line that a card shows for a piece of evidence. */
export const evidenceTitle = ({ name, genre, url, narrative }: EvidenceText): string =>
  name ?? genre ?? url ?? narrative ?? "";
