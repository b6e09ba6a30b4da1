"use client";
import { Button } from "@heroui/react";
import { TextInput } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import { nameOf, type MappingLine } from "./directory-mapping";

const fixed: Record<string, string> = { displayName: "Name", email: "E-mail address" };

/** The lines that map attributes of a directory to fields of a person. */
export function DirectoryMappingFields({
  lines,
  onChange,
}: {
  lines: MappingLine[];
  onChange(lines: MappingLine[]): void;
}) {
  const change = (n: number, next: Partial<MappingLine>) =>
    onChange(lines.map((line, at) => (at === n ? { ...line, ...next } : line)));
  return (
    <Panel
      title="What the directory fills"
      description="Beside each field is the attribute of the directory that fills it, as SCIM names it. A change holds for a person once the directory sends them again, so have it send everybody after you saved."
    >
      <ul className="space-y-4">
        {lines.map(({ field, from }, n) => (
          <li key={n} className="grid items-end gap-x-3 gap-y-2 sm:grid-cols-[1fr_1.5fr_5.5rem]">
            {fixed[field] ? (
              <p className="text-sm font-medium sm:pb-2">{fixed[field]}</p>
            ) : (
              <TextInput
                label="Field"
                name={`mapping/attributes/${n}`}
                value={nameOf(field)}
                onChange={(name) => change(n, { field: `attributes.${name}` })}
              />
            )}
            <TextInput
              label={fixed[field] ? `Attribute for the ${fixed[field].toLowerCase()}` : "Attribute of the directory"}
              name={fixed[field] ? `mapping/${field}` : `mapping/attributes/${n}/from`}
              value={from}
              onChange={(next) => change(n, { from: next })}
              mono
            />
            {!fixed[field] && (
              <Button
                variant="ghost"
                aria-label={`Remove the field ${nameOf(field)}`}
                onPress={() => onChange(lines.filter((_, at) => at !== n))}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button
        variant="outline"
        className="mt-4"
        onPress={() => onChange([...lines, { field: "attributes.", from: "" }])}
      >
        Add a field
      </Button>
    </Panel>
  );
}
