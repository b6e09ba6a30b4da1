/** The most pieces of evidence of a credential. */
export const maxEvidence = 20;

/** One row of the evidence form, as typed. */
export interface EnteredEvidence {
  name: string;
  genre: string;
  url: string;
  narrative: string;
}

/** Returns the evidence to send: trimmed, without empty fields and empty rows. */
export function writtenEvidence(rows: readonly EnteredEvidence[]): Partial<EnteredEvidence>[] {
  return rows
    .map((row) =>
      Object.fromEntries(Object.entries(row).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []))),
    )
    .filter((row) => Object.keys(row).length > 0);
}
