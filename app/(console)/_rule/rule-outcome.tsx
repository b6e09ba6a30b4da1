"use client";
import { Check, CircleHelp, X } from "lucide-react";
import { joinOf, partsIn, type EditedRule } from "./edit-rule";
import { Condition, useNameOfGroup, wordsOfValue, type NameOf } from "./rule-view";
import { joinOptions } from "./words";

/** A comparison of the rule with one person's value, as the API explains it. */
export interface Compared {
  pointer: string;
  field: string;
  found?: unknown;
  outcome: boolean | null;
}

interface Props {
  rule: EditedRule;
  comparisons: readonly Compared[];
}

/** The most groups of a person that are named next to a condition. */
const namedGroups = 5;

/** A rule in words, with the person's value and the outcome of each condition. */
export function RuleOutcome({ rule, comparisons }: Props) {
  const known = new Map(comparisons.map((each) => [each.pointer, each]));
  const nameOf = useNameOfGroup(rule, comparisons.flatMap(groupsFound));
  return (
    <div className="text-[0.8125rem] wrap-anywhere">
      <Node node={rule} pointer="/rule" known={known} nameOf={nameOf} />
    </div>
  );
}

interface NodeProps {
  node: EditedRule;
  pointer: string;
  known: ReadonlyMap<string, Compared>;
  nameOf: NameOf;
}

function Node({ node, pointer, known, nameOf }: NodeProps) {
  const join = joinOf(node);
  const outcome = outcomeOf(node, pointer, known);
  if (!join) {
    const compared = known.get(pointer);
    return (
      <Line outcome={outcome}>
        <p>
          <Condition condition={node} nameOf={nameOf} />
        </p>
        {compared && <p className="text-xs text-muted">{wordsOfFound(compared, nameOf)}</p>}
      </Line>
    );
  }
  return (
    <div>
      <Line outcome={outcome}>
        <p className="text-muted">{joinOptions.find(({ value }) => value === join)!.label}</p>
      </Line>
      <ul className="mt-2 ml-1.5 space-y-2 border-l pl-4">
        {partsIn(node, join).map((part, index) => (
          <li key={index}>
            <Node node={part} pointer={partAt(pointer, join, index)} known={known} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const marks = {
  yes: { icon: Check, tone: "text-success", word: "Met" },
  no: { icon: X, tone: "text-danger", word: "Not met" },
  unknown: { icon: CircleHelp, tone: "text-muted", word: "Cannot be decided" },
};

function Line({ outcome, children }: { outcome: boolean | null; children: React.ReactNode }) {
  const { icon: Icon, tone, word } = marks[outcome === null ? "unknown" : outcome ? "yes" : "no"];
  return (
    <div className="flex items-start gap-2">
      <Icon className={`mt-0.5 size-4 shrink-0 ${tone}`} aria-hidden="true" />
      <div className="min-w-0 flex-1">{children}</div>
      <span className="shrink-0 text-xs text-muted">{word}</span>
    </div>
  );
}

const partAt = (pointer: string, join: "all" | "any" | "not", index: number) =>
  join === "not" ? `${pointer}/not` : `${pointer}/${join}/${index}`;

/**
 * Evaluates with three values, as the rule language does: an unknown part leaves the whole unknown unless the other
 * parts decide it.
 */
export function outcomeOf(node: EditedRule, pointer: string, known: ReadonlyMap<string, Compared>): boolean | null {
  const join = joinOf(node);
  if (!join) return known.get(pointer)?.outcome ?? null;
  const parts = partsIn(node, join).map((part, index) => outcomeOf(part, partAt(pointer, join, index), known));
  if (join === "not") return parts[0] === null ? null : !parts[0];
  const decisive = join === "any";
  if (parts.includes(decisive)) return decisive;
  return parts.includes(null) ? null : !decisive;
}

const groupsFound = ({ field, found }: Compared): string[] =>
  field === "groups" && Array.isArray(found) ? (found as string[]).slice(0, namedGroups) : [];

/** Returns the person's recorded value in words. */
function wordsOfFound(compared: Compared, nameOf: NameOf): string {
  const { field, found, outcome } = compared;
  if (field === "groups") {
    const groups = groupsFound(compared);
    if (groups.length === 0) return "The person is in no group.";
    const more = (found as string[]).length - groups.length;
    return `The person is in ${groups.map(nameOf).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
  }
  if (found === null || found === undefined) return "Nothing is recorded of the person.";
  const told = typeof found === "object" ? JSON.stringify(found) : wordsOfValue(found, false, nameOf);
  const recorded = `Recorded: ${told.length > 200 ? `${told.slice(0, 200)}…` : told}`;
  return outcome === null ? `${recorded}. It is of another type, and cannot be compared.` : recorded;
}
