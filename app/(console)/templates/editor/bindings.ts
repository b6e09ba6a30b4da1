import { evidenceBinding } from "@/server/templates/binding";
import { fieldsOf, type Design, type DesignField } from "@/server/templates/design";
import { creditsBinding, resultBinding } from "@/server/templates/hidden-from-files";

/** What a field can show, as the editor offers it: a fixed source, or a kind of source that needs a path or a text. */
export const sources = [
  { value: "subject.displayName", label: "Name" },
  { value: "subject.externalId", label: "Your id" },
  { value: "subject.email", label: "E-mail" },
  { value: "subject.photo", label: "Photo" },
  { value: "attributes", label: "From the person's record…" },
  { value: "credential.issuedAt", label: "Issued on" },
  { value: "credential.validFrom", label: "Valid from" },
  { value: "credential.expiresAt", label: "Valid through" },
  { value: "credential.code", label: "Code" },
  { value: evidenceBinding, label: "Evidence" },
  { value: "credential.data", label: "Entered when it is issued…" },
  { value: "text", label: "Fixed text…" },
] as const;
export type Source = (typeof sources)[number]["value"] | ReturnType<typeof resultBinding> | typeof creditsBinding;

/** A result or the credits that the achievement of an academic template lets its credentials state. */
export interface StatedField {
  binding: ReturnType<typeof resultBinding> | typeof creditsBinding;
  label: string;
  format?: "number";
}

/** The fields that an achievement offers: each of its results, and its credits if it gives some. */
export function statedFields(results: readonly { key: string; name: string }[], credits: number | null): StatedField[] {
  const described = results.map(({ key, name }) => ({ binding: resultBinding(key), label: name }));
  return [
    ...described,
    ...(credits === null ? [] : [{ binding: creditsBinding, label: "Credits", format: "number" } as const]),
  ];
}

/** The sources of an academic template. Those of the achievement come before the sources that need a path. */
export function sourcesWith(stated: readonly StatedField[]): { value: Source; label: string }[] {
  const at = sources.findIndex(({ value }) => value === evidenceBinding);
  const offered = stated.map(({ binding, label }) => ({
    value: binding,
    label: binding === creditsBinding ? "Credits earned" : `Result: ${label}`,
  }));
  return [...sources.slice(0, at), ...offered, ...sources.slice(at)];
}

/**
 * Adds a public field for every result, and for the credits, that no field shows. Makes existing fields of these
 * public.
 */
export function withStatedFields(design: Design, stated: readonly StatedField[], side: "front" | "back"): Design {
  const added: DesignField[] = [];
  const shown: string[] = [];
  for (const each of stated) {
    const fields = [...fieldsOf(design), ...added];
    let field = fields.find(({ binding }) => binding === each.binding);
    if (!field) added.push((field = { key: freshKey(fields.map(({ key }) => key)), ...each }));
    shown.push(field.key);
  }
  return {
    ...design,
    [side]: { ...design[side], fields: [...(design[side]?.fields ?? []), ...added] },
    publicFields: [...new Set([...(design.publicFields ?? []), ...shown])],
  };
}

/** Whether withStatedFields() would change a design. */
export function lacksStatedFields(design: Design, stated: readonly StatedField[]): boolean {
  return stated.some(
    ({ binding }) =>
      !fieldsOf(design).some((each) => each.binding === binding && design.publicFields?.includes(each.key)),
  );
}

const byPath = ["attributes", "credential.data"] as const;

/**
 * The source of a field and, if the source needs one, its path or text. A binding that the editor does not offer is
 * read as an attribute path. The same applies to a result that the achievement does not describe.
 */
export function readSource(
  field: DesignField,
  stated: readonly StatedField[] = [],
): { source: Source; detail: string } {
  if (field.binding === undefined)
    return {
      source: "text",
      detail: typeof field.text === "string" ? field.text : (Object.values(field.text ?? {})[0] ?? ""),
    };
  const offered = stated.find(({ binding }) => binding === field.binding);
  if (offered) return { source: offered.binding, detail: "" };
  if (field.binding === evidenceBinding) return { source: evidenceBinding, detail: "" };
  const prefix = byPath.find((each) => field.binding!.startsWith(`${each}.`));
  if (prefix) return { source: prefix, detail: field.binding.slice(prefix.length + 1) };
  return { source: field.binding as Source, detail: "" };
}

/** Returns the field with another source. */
export function withSource(
  { binding: _, text: __, ...field }: DesignField,
  source: Source,
  detail: string,
): DesignField {
  if (source === "text") return { ...field, text: detail };
  return { ...field, binding: needsPath(source) ? `${source}.${detail}` : source };
}

/** Returns the field after a change of its source. Its label follows, unless somebody typed a label. */
export function relabelled(before: DesignField, after: DesignField): DesignField {
  return before.label === ownLabel(before) ? { ...after, label: ownLabel(after) } : after;
}

/** The label of a field until somebody types one. */
function ownLabel(field: DesignField): string {
  const { source, detail } = readSource(field);
  if (source === "text") return "Text";
  if (needsPath(source)) return labelOf(detail.split(".").at(-1)!);
  return sources.find(({ value }) => value === source)?.label ?? field.key;
}

export function needsPath(source: Source): boolean {
  return source === "attributes" || source === "credential.data";
}

/**
 * Returns a new field with a key of its own. It shows the first attribute of people's records that no field shows yet,
 * or else their department.
 */
export function freshField(fields: readonly DesignField[], known: readonly string[]): DesignField {
  const shown = new Set(fields.map(({ binding }) => binding));
  const attribute = known.find((name) => attributeName.test(name) && !shown.has(`attributes.${name}`)) ?? "department";
  return { key: freshKey(fields.map(({ key }) => key)), label: labelOf(attribute), binding: `attributes.${attribute}` };
}

const attributeName = /^[\p{L}\p{N}_-]{1,64}$/u;

/** Converts an attribute's name to a label: studentNumber and student_number are "Student number". */
function labelOf(attribute: string): string {
  const words = attribute
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function freshKey(taken: readonly string[]): string {
  for (let n = taken.length + 1; ; n++) if (!taken.includes(`field${n}`)) return `field${n}`;
}
