/** A piece of evidence for an award, as far as people are told of it. */
export interface EvidenceText {
  name?: string | undefined;
  /** What kind of thing it is, such as Thesis. */
  genre?: string | undefined;
  /** Markdown. */
  narrative?: string | undefined;
  description?: string | undefined;
  url?: string | undefined;
}

/** A piece of evidence in Markdown: its name and kind, what it shows, and a link to it. Empty if it says nothing. */
export function evidenceText({ name, genre, narrative, description, url }: EvidenceText): string {
  const title = name && genre ? `${name} (${genre})` : (name ?? genre);
  return [title, narrative ?? description, url && linked(url)].filter(Boolean).join("\n\n");
}

/** Markdown makes a link of an address in angle brackets alone. */
const linked = (url: string): string => (/^https?:\/\/[^\s<>]+$/i.test(url) ? `<${url}>` : url);

/** The pieces of evidence in the data of a credential. */
export function evidenceIn(value: unknown): EvidenceText[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => typeof each === "object" && each !== null) as EvidenceText[];
}

/** What a card writes of a piece of evidence: one line. */
export const evidenceTitle = ({ name, genre, url, narrative }: EvidenceText): string =>
  name ?? genre ?? url ?? narrative ?? "";
