"use client";
import { Notice } from "@/components/ui/notice";
import type { Mapping } from "@/server/connectors/mapping";
import type { ReadAttribute } from "@/server/connectors/read-attributes";

/** The attributes that cards and rules read but the mapping does not fill, each with its readers. */
export function unfilledBy(mapping: Mapping, read: ReadAttribute[]): [name: string, readers: string[]][] {
  const filled = new Set(Object.keys(mapping.attributes ?? {}));
  const found = new Map<string, string[]>();
  for (const { name, of } of read) if (!filled.has(name)) found.set(name, [...(found.get(name) ?? []), of]);
  return [...found];
}

/** Lists the attributes that this mapping leaves empty. This is no error, because another source may fill them. */
export function Unfilled({ mapping, read }: { mapping: Mapping; read: ReadAttribute[] }) {
  const unfilled = unfilledBy(mapping, read);
  if (unfilled.length === 0) return null;
  return (
    <Notice tone="warning" title="Cards or rules read attributes that no column fills">
      <ul className="space-y-1">
        {unfilled.slice(0, 20).map(([name, readers]) => (
          <li key={name} className="wrap-anywhere">
            <code className="font-mono text-xs">{name}</code>, read by <bdi>{readers.join(", ")}</bdi>
          </li>
        ))}
      </ul>
      <p className="mt-2">They stay as they are. If a column holds them, make it an attribute of that name.</p>
    </Notice>
  );
}
