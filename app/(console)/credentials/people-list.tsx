"use client";
import { Button, Skeleton } from "@heroui/react";
import { X } from "lucide-react";
import { useState } from "react";
import { Link } from "@/components/ui/link";
import { usePeople } from "../_data/names";
import { TemplateName } from "../templates/template-name";

/** The part of a credential that identifies its holder. */
export interface HeldBy {
  id: string;
  subjectId: string;
  templateId: string;
}

interface Props {
  label: string;
  rows: readonly { credential: HeldBy; why?: string }[];
  /** Removes a credential from the list, if the list allows it. */
  onRemove?(credential: HeldBy): void;
}

const shownAtOnce = 50;

/** Lists credentials by their holders: name, external id, template, and why they are listed. */
export function PeopleList({ label, rows, onRemove }: Props) {
  const [shown, setShown] = useState(shownAtOnce);
  const visible = rows.slice(0, shown);
  const personOf = usePeople(visible.map(({ credential }) => credential.subjectId));
  return (
    <div className="max-h-80 scrollbar overflow-y-auto rounded-lg border" tabIndex={0} role="region" aria-label={label}>
      <ul className="divide-y divide-separator text-[0.8125rem]">
        {visible.map(({ credential, why }) => {
          const person = personOf(credential.subjectId);
          return (
            <li key={credential.id} className="flex items-center gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <div className="flex flex-wrap items-baseline gap-x-2">
                  {person ? (
                    <Link
                      href={`/credentials/${credential.id}`}
                      target="_blank"
                      className="font-medium wrap-anywhere hover:underline"
                    >
                      <bdi>{person.name}</bdi>
                    </Link>
                  ) : (
                    <Skeleton className="h-3.5 w-28 rounded-md" />
                  )}
                  {person?.externalId && (
                    <code className="font-mono text-xs break-all text-muted">{person.externalId}</code>
                  )}
                  <span className="text-xs text-muted">
                    <TemplateName id={credential.templateId} />
                  </span>
                </div>
                {why && <p className="text-pretty text-muted">{why}</p>}
              </div>
              {onRemove && (
                <Button
                  isIconOnly
                  size="sm"
                  variant="ghost"
                  aria-label={`Do not choose ${person?.name ?? credential.id}`}
                  onPress={() => onRemove(credential)}
                >
                  <X aria-hidden="true" />
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {rows.length > shown && (
        <Button variant="ghost" className="w-full rounded-none" onPress={() => setShown(shown + shownAtOnce)}>
          Show more of {rows.length.toLocaleString("en")}
        </Button>
      )}
    </div>
  );
}
