import { fieldsOf } from "@/server/connectors/map-row";
import type { GroupSource, Mapping, MappingSource } from "@/server/connectors/mapping";
import { hasValues, unsaid, type ColumnChoice, type Draft, type Kind, type Target } from "./draft";

/** Converts a draft to a mapping, or returns what still has to be chosen. */
export function mappingOf(draft: Draft): { mapping: Mapping; todo: null } | { mapping: null; todo: string } {
  const todo = todoOf(draft);
  if (todo !== null) return { mapping: null, todo };
  const to = (target: Target) => draft.columns.filter((choice) => choice.target === target);
  const given = to("givenName");
  const family = to("familyName");
  const names = (draft.nameOrder === "givenFirst" ? [...given, ...family] : [...family, ...given]).map(
    ({ column }) => column,
  );
  const single = (target: Target) => to(target).map(sourceOf)[0];
  const kept = Object.fromEntries(draft.kept);
  const name =
    single("displayName") ??
    (names.length === 1
      ? names[0]
      : names.length > 1
        ? ({ transform: "template", template: names.map((each) => `{${each}}`).join(" ") } as const)
        : kept["displayName"]);
  const email = single("email") ?? kept["email"];
  const status = single("status") ?? kept["status"];
  const attributes: [string, MappingSource][] = [
    ...draft.kept.flatMap(([field, from]): [string, MappingSource][] =>
      field.startsWith("attributes.") ? [[field.slice("attributes.".length), from]] : [],
    ),
    ...to("attribute").map((choice): [string, MappingSource] => [choice.attribute.trim(), sourceOf(choice)]),
  ];
  return {
    todo: null,
    mapping: {
      externalId: single("externalId") ?? kept["externalId"]!,
      ...(name && { displayName: name }),
      ...(email && { email }),
      ...(status && { status }),
      ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
      ...(to("group").length > 0 && { groups: to("group").map(groupSourceOf) }),
    },
  };
}

const once: [Target, string][] = [
  ["externalId", "id"],
  ["displayName", "full name"],
  ["email", "e-mail address"],
  ["status", "status"],
];

/** Returns what is missing or chosen twice in a draft; null if it is complete. */
function todoOf({ columns, kept }: Draft): string | null {
  const isKept = (field: string) => kept.some(([name]) => name === field);
  for (const [target, name] of once) {
    const n = columns.filter((choice) => choice.target === target).length + (isKept(target) ? 1 : 0);
    if (n > 1) return `Two columns are the ${name}. Choose one.`;
    if (n === 0 && target === "externalId") return "Choose the column that is the id.";
  }
  const parts = columns.some(({ target }) => target === "givenName" || target === "familyName");
  if (parts && (columns.some(({ target }) => target === "displayName") || isKept("displayName")))
    return "The name comes from a full name and from its parts. Choose one of the two.";
  for (const { values } of columns.filter(({ target }) => target === "status")) {
    const open = values.filter(({ means }) => means === unsaid).map(({ value }) => `“${value}”`);
    if (open.length > 0)
      return `Say who is active: what ${open.slice(0, 3).join(", ")} means${open.length > 3 ? ", and others" : ""}.`;
  }
  const named = new Set(kept.map(([field]) => field));
  for (const choice of columns.filter(({ target }) => target === "attribute")) {
    const name = choice.attribute.trim();
    if (name === "") return `Name the attribute that “${choice.column}” becomes.`;
    if (named.has(`attributes.${name}`)) return `Two columns become the attribute “${name}”. Name one otherwise.`;
    named.add(`attributes.${name}`);
    if (choice.kind === "date" && choice.format === "") return `Say how “${choice.column}” writes dates.`;
    if (choice.kind === "number" && choice.decimal === "") return `Say how “${choice.column}” writes decimals.`;
  }
  return null;
}

/** The mapping of the completed columns; null while no column is the id, or if two columns fill one field. */
export const decidedMappingOf = (draft: Draft): Mapping | null =>
  mappingOf({ ...draft, columns: draft.columns.filter((choice) => !isOpen(choice)) }).mapping;

/** Whether a choice for a column is still missing. */
const isOpen = ({ target, attribute, kind, format, decimal, values }: ColumnChoice): boolean =>
  target === "status"
    ? values.some(({ means }) => means === unsaid)
    : target === "attribute" &&
      (attribute.trim() === "" || (kind === "date" && format === "") || (kind === "number" && decimal === ""));

const groupSourceOf = ({ column, separator }: ColumnChoice): GroupSource =>
  separator === "" ? column : { from: column, separator };

function sourceOf(choice: ColumnChoice): MappingSource {
  const from = choice.column;
  if (hasValues(choice)) {
    const said = choice.values.filter(({ means }) => means !== "");
    const isBoolean = choice.target === "attribute" && choice.kind === "boolean";
    const values = Object.fromEntries(
      said.map(({ value, means }) => [value, isBoolean ? means === "true" : means] as const),
    );
    const transform = choice.kind === "lower" ? "lower" : "trim";
    // A status column may contain the words active and inactive themselves.
    if (said.length === 0 && choice.target === "status") return transform === "lower" ? { from, transform } : from;
    return { from, transform, values };
  }
  if (choice.kind === "lower") return { from, transform: "lower" };
  if (choice.target !== "attribute") return from;
  if (choice.kind === "date" && choice.format !== "") return { from, transform: "date", format: choice.format };
  if (choice.kind === "number" && choice.decimal !== "") return { from, transform: "trim", decimal: choice.decimal };
  return from;
}

/** Converts a mapping to the state of the form. Parts for which the form has no control are kept unchanged. */
export function draftOf(mapping: Mapping): Draft {
  const draft: Draft = { columns: [], nameOrder: "givenFirst", kept: [] };
  for (const [field, from] of fieldsOf(mapping)) {
    const names = field === "displayName" ? partsOfName(from) : null;
    const choice = names ? null : choiceOf(field, from);
    if (names) {
      draft.nameOrder = names.order;
      draft.columns.push(...names.choices);
    } else if (choice) draft.columns.push(choice);
    else draft.kept.push([field, from]);
  }
  for (const from of mapping.groups ?? [])
    draft.columns.push(
      typeof from === "string" ? blank(from, "group") : { ...blank(from.from, "group"), separator: from.separator },
    );
  return draft;
}

function blank(column: string, target: Target, attribute = column): ColumnChoice {
  return { column, target, attribute, kind: "text", decimal: "", format: "", separator: "", values: [] };
}

const family = /last|family|sur|nach|familien|^nom$|apellido/i;

/** The columns of a name that joins columns with spaces. */
function partsOfName(from: MappingSource): { order: Draft["nameOrder"]; choices: ColumnChoice[] } | null {
  if (typeof from === "string" || from.transform !== "template") return null;
  if (!/^\{[^{}]+\}( \{[^{}]+\})+$/.test(from.template)) return null;
  const columns = [...from.template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  if (new Set(columns).size < columns.length) return null;
  const familyFirst = family.test(columns[0]!) && !family.test(columns.at(-1)!);
  const isFamily = (i: number) => (familyFirst ? i === 0 : i === columns.length - 1);
  return {
    order: familyFirst ? "familyFirst" : "givenFirst",
    choices: columns.map((column, i) => blank(column, isFamily(i) ? "familyName" : "givenName")),
  };
}

/** Null if the form could not write the same source back. */
function choiceOf(field: string, from: MappingSource): ColumnChoice | null {
  const isAttribute = field.startsWith("attributes.");
  const target = isAttribute ? "attribute" : (field as Target);
  if (typeof from === "string") return blank(from, target, isAttribute ? field.slice("attributes.".length) : from);
  if (!("from" in from)) return null;
  const choice = blank(from.from, target, isAttribute ? field.slice("attributes.".length) : from.from);
  if (from.transform === "date") return isAttribute ? { ...choice, kind: "date", format: from.format } : null;
  if (from.transform === "trim" && from.decimal)
    return isAttribute ? { ...choice, kind: "number", decimal: from.decimal } : null;
  const kind: Kind = from.transform === "lower" ? "lower" : "text";
  if (!from.values) return { ...choice, kind };
  const entries = Object.entries(from.values);
  const all = (isFit: (value: unknown) => boolean) => entries.length > 0 && entries.every(([, value]) => isFit(value));
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  if (target === "status")
    return all((value) => value === "active" || value === "inactive")
      ? { ...choice, kind, values: said(entries) }
      : null;
  if (!isAttribute || kind === "lower") return null;
  if (all((value) => typeof value === "boolean")) return { ...choice, kind: "boolean", values: said(entries) };
  return all(isText) ? { ...choice, kind: "values", values: said(entries) } : null;
}

const said = (entries: [string, unknown][]) => entries.map(([value, means]) => ({ value, means: String(means) }));
