"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { problemOf } from "@/components/problem";
import { posted, useTRPC } from "@/components/trpc/client";
import { TextInputArea } from "@/components/ui/fields";
import { Link } from "@/components/ui/link";
import { jsonPointer } from "@/server/core/json-pointer";
import { parseRule } from "@/server/rules/parse";
import { tryRead } from "../_data/read-object";
import { useSession } from "../_shell/session";
import { RuleErrors, type RuleError } from "./rule-errors";
import { RuleNode } from "./rule-node";

/** The initial rule. */
export const firstRule = JSON.stringify({ all: [{ field: "status", op: "eq", value: "active" }] }, null, 2);

interface Props {
  /** The rule as JSON text. */
  value: string;
  onChange(value: string): void;
  /** True if inactive people are skipped by the feature that uses the rule. */
  onlyActive?: boolean;
  /** The errors of the rule that was sent last; shown until the rule is changed. */
  refused?: readonly RuleError[];
}

const nothing: readonly RuleError[] = [];

/** Edits a rule, either condition by condition or as JSON. Shows how many people match it while it is changed. */
export function RuleInput({ value, onChange, onlyActive = false, refused = nothing }: Props) {
  const [asText, setAsText] = useState(false);
  const rule = tryRead(value);
  const count = useCount(value, onlyActive);
  const [seen, setSeen] = useState({ refused, value });
  if (seen.refused !== refused) setSeen({ refused, value });
  const errors = count.errors.length > 0 ? count.errors : seen.value === value ? refused : nothing;
  const isText = asText || rule === null;
  return (
    <div role="group" aria-label="Rule" className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm font-medium">Who matches</p>
        <Button size="sm" variant="ghost" isDisabled={isText && rule === null} onPress={() => setAsText(!isText)}>
          {isText ? "Choose conditions" : "Write as JSON"}
        </Button>
      </div>
      {isText ? (
        <TextInputArea
          label="Rule"
          name="rule"
          value={value}
          onChange={onChange}
          mono
          rows={10}
          isRequired
          description={
            <>
              JSON: comparisons, put together with all, any and not.{" "}
              <Link href="/docs/rules" target="_blank" className="underline">
                How rules are written
              </Link>
            </>
          }
        />
      ) : (
        <RuleErrors value={errors}>
          <RuleNode node={rule} pointer="/rule" onChange={(next) => onChange(JSON.stringify(next, null, 2))} />
        </RuleErrors>
      )}
      <div role="status" className="text-[0.8125rem]">
        {rule === null ? (
          <p className="text-muted">This is not a JSON object yet.</p>
        ) : errors.length > 0 ? (
          isText ? (
            <ul className="space-y-0.5 text-danger">
              {errors.slice(0, 5).map(({ pointer, message }) => (
                <li key={pointer + message}>
                  <code>{pointer}</code> {message}.
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-muted">Counted once every condition is complete.</p>
          )
        ) : count.failure ? (
          <p className="text-danger">The people who match could not be counted. {count.failure}</p>
        ) : count.people !== undefined ? (
          <p className="text-muted">
            Matches <strong className="text-foreground">{countOf(count.people, onlyActive)}</strong> now.
          </p>
        ) : null}
      </div>
    </div>
  );
}

interface Count {
  people: number | undefined;
  errors: RuleError[];
  failure: string | undefined;
}

/** Counts the people who match a complete rule, or returns the rule's errors. */
function useCount(text: string, onlyActive: boolean): Count {
  const trpc = useTRPC();
  const { can } = useSession();
  const deferred = useDeferredValue(text);
  const rule = tryRead(deferred);
  const issues = useMemo(() => issuesOf(deferred), [deferred]);
  const query = useQuery(
    trpc.groups.preview.queryOptions(
      { rule, ...(onlyActive && { status: "active" as const }) },
      {
        enabled: rule !== null && issues.length === 0 && can("subjects:read"),
        placeholderData: keepPreviousData,
        retry: false,
        // A rule with the maximum number of conditions is too long for a URL.
        trpc: posted,
      },
    ),
  );
  const problem = issues.length === 0 && query.error ? problemOf(query.error) : null;
  const errors = problem?.errors ?? issues;
  return {
    people: query.data?.matchCount,
    errors,
    failure: problem && errors.length === 0 ? problem.detail : undefined,
  };
}

/** Returns the errors of a rule in the service's words. */
function issuesOf(text: string): RuleError[] {
  const rule = tryRead(text);
  const parsed = rule === null ? { rule } : parseRule(rule);
  if (!("issues" in parsed)) return [];
  return parsed.issues.map(({ path, message }) => ({ pointer: jsonPointer(["rule", ...path]), message }));
}

function countOf(n: number, onlyActive: boolean): string {
  const people = n === 1 ? "person" : "people";
  return `${n.toLocaleString("en")} ${onlyActive ? `active ${people}` : people}`;
}
