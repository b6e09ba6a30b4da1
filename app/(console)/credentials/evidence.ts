/** The most pieces of evidence of a credential. */
export const maxEvidence = 20;

/** A piece of evidence as it was typed. */
export interface EnteredEvidence {
  name: string;
  genre: string;
  url: string;
  narrative: string;
}

/** The pieces of evidence as they are sent: without empty fields and empty rows. */
export function writtenEvidence(rows: readonly EnteredEvidence[]): Partial<EnteredEvidence>[] {
  return rows
    .map((row) =>
      Object.fromEntries(Object.entries(row).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []))),
    )
    .filter((row) => Object.keys(row).length > 0);
}
