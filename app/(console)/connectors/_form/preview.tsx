import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import type { Mapping } from "@/server/connectors/mapping";
import { count } from "../words";
import { previewOf, type PreviewPerson } from "./preview-of";
import type { Sample } from "./read-sample";

const shown = 5;

/** Shows the first people of the sample after mapping, and the errors of its rows. */
export function Preview({ mapping, sample }: { mapping: Mapping; sample: Sample }) {
  const people = previewOf(mapping, sample);
  const wrong = people.filter(({ errors }) => errors.length > 0);
  const fit = people.filter(({ errors }) => errors.length === 0).slice(0, shown);
  return (
    <Panel
      title="Preview"
      description={`The first people of your sample, as they will be. ${count(people.length)} rows were read, and none was stored.`}
      flush
    >
      {wrong.length > 0 && (
        <div className="px-4 pt-1 pb-4 sm:px-5">
          <Notice
            tone="warning"
            title={`${count(wrong.length)} of ${count(people.length)} rows of the sample would be rejected`}
          >
            <ul className="space-y-1">
              {wrong.slice(0, shown).map(({ line, errors }) => (
                <li key={line} className="wrap-anywhere">
                  Line {line}
                  {errors[0]!.column !== null && (
                    <>
                      , <bdi>{errors[0]!.column}</bdi>
                    </>
                  )}
                  : {errors[0]!.message}
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      <ul aria-label="Preview" className="divide-y divide-separator border-t">
        {fit.map((person) => (
          <PersonRow key={person.line} person={person} />
        ))}
      </ul>
    </Panel>
  );
}

function PersonRow({ person }: { person: PreviewPerson }) {
  const { externalId, displayName, email, status, attributes, groups } = person;
  return (
    <li className="space-y-1 px-4 py-3 sm:px-5">
      <p className="flex flex-wrap items-baseline gap-x-3 text-[0.8125rem] wrap-anywhere">
        <bdi className="font-medium">{displayName || "No name"}</bdi>
        <code className="font-mono text-xs text-muted">{externalId}</code>
        {email && <bdi className="text-muted">{email}</bdi>}
        {status && <span className="text-muted">{status === "active" ? "Active" : "Inactive"}</span>}
      </p>
      {groups.length > 0 && (
        <p className="text-xs wrap-anywhere">
          <span className="text-muted">{groups.length === 1 ? "Group:" : "Groups:"}</span>{" "}
          <bdi>{groups.join(", ")}</bdi>
        </p>
      )}
      {attributes.length > 0 && (
        <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
          {attributes.map(([name, value]) => (
            <div key={name} className="flex min-w-0 gap-1">
              <dt className="text-muted">
                <bdi>{name}</bdi>:
              </dt>
              <dd className="wrap-anywhere">
                <bdi>{value || "empty"}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
