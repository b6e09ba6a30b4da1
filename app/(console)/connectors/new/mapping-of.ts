import type { RouterInputs } from "@/server/trpc/root";
import type { SampleColumn } from "./read-sample";

/** Where a column goes. */
export type Target = "externalId" | "displayName" | "email" | "status" | "attribute" | "none";
export type Targets = Record<string, Target>;
type Mapping = RouterInputs["connectors"]["create"]["mapping"];

export const targetOptions = [
  { value: "none", label: "Nothing", description: "It is not read." },
  { value: "externalId", label: "Id", description: "What your system calls the person; it never changes." },
  { value: "displayName", label: "Name", description: "Two columns make first and last name." },
  { value: "email", label: "E-mail address" },
  { value: "status", label: "Status", description: "Who is active." },
  { value: "attribute", label: "Attribute", description: "For cards and rules, under the name of the column." },
] as const satisfies { value: Target; label: string; description?: string }[];

const usual: [Target, RegExp][] = [
  [
    "externalId",
    /^((student|staff|employee|person|external|member|user|matriculation|pupil)?[ _-]?(id|no|nr|number|key))$/i,
  ],
  ["displayName", /^((full|display|first|last|given|family)?[ _-]?name|surname|forename)$/i],
  ["email", /^e?-?mail([ _-]?address)?$/i],
  ["status", /^(status|state|active)$/i],
];

/** What a column probably is, by its name. The first that looks like an id is one; so for each but the name. */
export function suggest(columns: SampleColumn[]): Targets {
  const taken = new Set<Target>();
  return Object.fromEntries(
    columns.map(({ name }) => {
      const target = usual.find(([each, pattern]) => pattern.test(name) && !taken.has(each))?.[0] ?? "none";
      if (target !== "displayName" && target !== "none") taken.add(target);
      return [name, target];
    }),
  );
}

/** Values of a status column that mean that somebody left. */
const ended =
  /^(inactive|no|n|false|0|left|ended|former|withdrawn|graduated|alumn\w*|exmatriculated|terminated|closed)$/i;

/** What the values of a status column probably mean. */
export function suggestStatus(values: string[]): { active: string; inactive: string } {
  return {
    active: values.filter((value) => !ended.test(value)).join(", "),
    inactive: values.filter((value) => ended.test(value)).join(", "),
  };
}

const listed = (text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** The mapping that the choices make; null without a column for the id. */
export function mappingOf(
  columns: SampleColumn[],
  targets: Targets,
  status: { active: string; inactive: string },
): Mapping | null {
  const to = (target: Target) => columns.filter(({ name }) => targets[name] === target).map(({ name }) => name);
  const [externalId] = to("externalId");
  if (!externalId) return null;
  const names = to("displayName");
  const [email] = to("email");
  const [state] = to("status");
  const attributes = to("attribute");
  return {
    externalId,
    ...(names.length === 1 && { displayName: names[0]! }),
    ...(names.length > 1 && {
      displayName: { transform: "template", template: names.map((name) => `{${name}}`).join(" ") },
    }),
    ...(email && { email: { from: email, transform: "lower" } }),
    ...(state && {
      status: {
        from: state,
        transform: "trim",
        values: Object.fromEntries([
          ...listed(status.active).map((value) => [value, "active"]),
          ...listed(status.inactive).map((value) => [value, "inactive"]),
        ]),
      },
    }),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes.map((name) => [name, name])) }),
  };
}
