import { evidenceBinding } from "@/server/templates/binding";
import type { Design } from "@/server/templates/design";
import { fieldsOf } from "@/server/templates/design";

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

/** Whether the public page of a design shows evidence. */
export const showsEvidence = (design: Design): boolean =>
  fieldsOf(design).some(({ key, binding }) => binding === evidenceBinding && design.publicFields?.includes(key));
