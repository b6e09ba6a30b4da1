import { Fact, Facts } from "@/components/ui/facts";
import { Panel } from "@/components/ui/panel";
import { fieldsOf } from "@/server/connectors/map-row";
import type { GroupSource, Mapping, MappingSource } from "@/server/connectors/mapping";

const names: Record<string, string> = {
  externalId: "Id",
  displayName: "Name",
  email: "E-mail address",
  status: "Status",
};

/** Shows the mapping from columns of a file, or attributes of a directory, to fields of people. */
export function MappingTable({ mapping, description }: { mapping: Mapping; description: string }) {
  return (
    <Panel title="Mapping" description={description}>
      <Facts>
        {inOrder(fieldsOf(mapping)).map(([field, from]) => (
          <Fact key={field} name={<bdi>{names[field] ?? field.slice("attributes.".length)}</bdi>}>
            <bdi className="wrap-anywhere">{inWords(from)}</bdi>
          </Fact>
        ))}
        {mapping.groups && (
          <Fact name="Groups">
            <bdi className="wrap-anywhere">{mapping.groups.map(groupInWords).join("; ")}</bdi>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

/** The fields that everybody has, and then the others by name: the database keeps them in an order that nobody recognises. */
function inOrder(fields: ReturnType<typeof fieldsOf>): ReturnType<typeof fieldsOf> {
  const place = ([field]: (typeof fields)[number]) => Object.keys(names).indexOf(field) + 1 || 99;
  return fields.toSorted((a, b) => place(a) - place(b) || a[0].localeCompare(b[0]));
}

const groupInWords = (from: GroupSource): string =>
  typeof from === "string" ? from : `${from.from}, several separated by ${from.separator}`;

function inWords(from: MappingSource): string {
  if (typeof from === "string") return from;
  switch (from.transform) {
    case "constant":
      return `Always ${JSON.stringify(from.value)}`;
    case "template":
      return from.template.replace(/[{}]/g, "");
    case "date":
      return `${from.from}, a date (${from.format})`;
    case "lower":
    case "trim": {
      if ("decimal" in from && from.decimal)
        return `${from.from}, a number (${from.decimal === "," ? "1.234,5" : "1,234.5"})`;
      const said = Object.entries(from.values ?? {}).map(([value, means]) => `${value} = ${saidOf(means)}`);
      const what = from.transform === "lower" ? `${from.from}, in lower case` : from.from;
      return said.length === 0 ? what : `${what}: ${said.slice(0, 20).join(", ")}${said.length > 20 ? ", …" : ""}`;
    }
  }
}

const saidOf = (means: unknown) =>
  means === true ? "yes" : means === false ? "no" : means === null ? "nothing" : String(means);
