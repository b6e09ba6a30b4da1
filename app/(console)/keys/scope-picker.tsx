"use client";
import { ToggleButton, ToggleButtonGroup } from "@heroui/react";
import { Tick } from "@/components/ui/confirm";
import { scopes as allScopes, namedScopes, usualScopes, type TokenScope } from "@/server/core/scopes";
import { useSession } from "../_shell/session";
import { scopeGroups } from "./scope-words";

const presets = [
  { id: "usual", label: "Everything", scopes: [...usualScopes] },
  {
    id: "integration",
    label: "Integration",
    scopes: [
      "subjects:read",
      "subjects:write",
      "credentials:read",
      "credentials:issue",
      "credentials:suspend",
      "credentials:revoke",
      "templates:read",
      "verify",
    ] as TokenScope[],
  },
  { id: "read", label: "Read only", scopes: allScopes.filter((scope) => scope.endsWith(":read")) },
];

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((each) => b.includes(each));

/** Chooses the scopes of a key or client. It should have only the scopes that its integration needs. */
export function ScopePicker({
  value,
  onChange,
}: {
  value: readonly TokenScope[];
  onChange(value: TokenScope[]): void;
}) {
  const preset = presets.find((each) => same(each.scopes, value))?.id;
  const { can } = useSession();
  const toggle = (scope: TokenScope, on: boolean) =>
    onChange(on ? [...value, scope] : value.filter((each) => each !== scope));
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">Scopes</legend>
      <ToggleButtonGroup
        aria-label="Presets"
        size="sm"
        selectionMode="single"
        selectedKeys={preset ? [preset] : []}
        onSelectionChange={(keys) => {
          const chosen = presets.find((each) => each.id === [...keys][0]);
          if (chosen) onChange(chosen.scopes);
        }}
      >
        {presets.map(({ id, label }) => (
          <ToggleButton key={id} id={id} className="w-auto px-3 text-xs">
            {label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <div className="mt-3 max-h-72 scrollbar overflow-y-auto rounded-lg border px-3.5 py-3">
        <div className="gap-x-6 sm:columns-2">
          {scopeGroups.map((group) => (
            <div key={group.name} className="mb-3.5 break-inside-avoid" role="group" aria-label={group.name}>
              <p className="mb-1 text-xs font-medium text-muted">{group.name}</p>
              {group.scopes.map(({ scope, words }) => (
                <Tick
                  key={scope}
                  isSelected={value.includes(scope)}
                  onChange={(on) => toggle(scope, on)}
                  isDisabled={namedScopes.includes(scope) && !can(scope)}
                  className="py-0.5"
                >
                  <span title={scope}>{words}</span>
                </Tick>
              ))}
            </div>
          ))}
        </div>
      </div>
      <p className="mt-1 text-xs text-muted">
        Approving is for people. Give it to a program only if nobody else is to look at what was held back.
      </p>
      <p className="mt-1 text-xs text-muted">
        {value.length} of {allScopes.length} chosen
      </p>
    </fieldset>
  );
}

/** Shows the scopes of a key in a list: their number, and all of them on hover. */
export function ScopeSummary({ scopes }: { scopes: readonly string[] }) {
  const words = same(scopes, usualScopes)
    ? "Everything"
    : same(scopes, allScopes)
      ? "Everything, and approving and settings"
      : scopes.length === 1
        ? scopes[0]
        : `${scopes.length} scopes`;
  return (
    <span title={scopes.join("\n")} className="text-muted">
      {words}
    </span>
  );
}
