import { dayOf, type Region } from "@/server/core/dates";
import type { DesignField } from "@/server/templates/design";
import { shownFields } from "@/server/templates/fields";
import { fieldText } from "@/server/templates/field-text";

/** A credential whose title another credential of the same person has too. */
export interface NamesakeRow {
  title: string;
  valid_from: Date;
  /** The public fields of its design. */
  public_fields: DesignField[] | null;
  /** What was entered at issue, and for academic credentials the snapshot of the person. */
  data: Record<string, unknown>;
}

/** What distinguishes a credential from others of its title. */
export interface Distinction {
  /** The first public field whose value differs. */
  field: { label: string; text: string } | null;
  from: Date;
  /** Whether others have the same field and day, so that only the code differs. */
  needsCode: boolean;
}

/**
 * Finds out what distinguishes each of one person's credentials from the others with its title. Null for a title that
 * only one credential has. A field of the person's record is the same on all of them, so only the credential's own data
 * is read.
 */
export function tellApart(rows: readonly NamesakeRow[], region: Region): (Distinction | null)[] {
  const found = new Map<NamesakeRow, Distinction>();
  for (const namesakes of Map.groupBy(rows, ({ title }) => title).values()) {
    if (namesakes.length === 1) continue;
    const texts = namesakes.map((row) => textsOf(row, region));
    const fields = texts.map((own) => own.find(({ key, text }) => texts.some((other) => textIn(other, key) !== text)));
    const marks = namesakes.map(({ valid_from }, i) =>
      JSON.stringify([fields[i]?.label, fields[i]?.text, dayOf(valid_from, region.timeZone)]),
    );
    namesakes.forEach((row, i) =>
      found.set(row, {
        field: fields[i] ?? null,
        from: row.valid_from,
        needsCode: marks.indexOf(marks[i]!) !== marks.lastIndexOf(marks[i]!),
      }),
    );
  }
  return rows.map((row) => found.get(row) ?? null);
}

interface Text {
  key: string;
  label: string;
  text: string;
}

const textIn = (texts: Text[], key: string) => texts.find((each) => each.key === key)?.text;

function textsOf({ public_fields: fields, data }: NamesakeRow, region: Region): Text[] {
  if (!fields) return [];
  const source = {
    subject: { displayName: "" },
    attributes: (data["attributes"] ?? {}) as Record<string, unknown>,
    credential: { data },
  };
  const design = { front: { fields }, publicFields: fields.map(({ key }) => key) };
  return shownFields(design, source, "public", region)
    .map((field) => ({ key: field.key, label: field.label, text: fieldText(field, region) }))
    .filter(({ text }) => text !== "");
}
