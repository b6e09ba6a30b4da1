import { Fact, Facts } from "@/components/ui/facts";
import { Panel } from "@/components/ui/panel";

/** The attributes of a subject, with nested attributes by their path. */
export function AttributeList({ attributes }: { attributes: Record<string, unknown> }) {
  const rows = flatten(attributes, "");
  return (
    <Panel title="Attributes">
      {rows.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">
          None. Templates read them as <code className="font-mono text-xs">attributes.name</code>.
        </p>
      ) : (
        <Facts>
          {rows.map(([path, value]) => (
            <Fact key={path} name={<code className="font-mono text-xs break-all">{path}</code>}>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
    </Panel>
  );
}

function flatten(value: Record<string, unknown>, prefix: string): [string, string][] {
  return Object.entries(value).flatMap(([key, each]): [string, string][] => {
    const path = prefix + key;
    if (typeof each === "object" && each !== null && !Array.isArray(each))
      return flatten(each as Record<string, unknown>, `${path}.`);
    return [[path, typeof each === "string" ? each : JSON.stringify(each)]];
  });
}
