"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { problemOf } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { TextInputArea } from "@/components/ui/fields";
import { Link } from "@/components/ui/link";
import { tryRead } from "../_data/read-object";
import { useSession } from "../_shell/session";

/** What a new rule begins with. */
export const firstRule = JSON.stringify(
  {
    all: [
      { field: "status", op: "eq", value: "active" },
      { field: "attributes.department", op: "eq", value: "Physics" },
    ],
  },
  null,
  2,
);

/** A rule as JSON, with what is wrong with it and how many people it means while it is typed. */
export function RuleInput({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <div className="space-y-2">
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
      <RuleCount text={value} />
    </div>
  );
}

function RuleCount({ text }: { text: string }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const rule = tryRead(useDeferredValue(text));
  const query = useQuery(
    trpc.groups.preview.queryOptions(
      { rule },
      { enabled: rule !== null && can("subjects:read"), placeholderData: keepPreviousData, retry: false },
    ),
  );
  const errors = query.error ? (problemOf(query.error).errors ?? []) : [];
  return (
    <div role="status" className="text-[0.8125rem]">
      {rule === null ? (
        <p className="text-muted">This is not a JSON object yet.</p>
      ) : errors.length > 0 ? (
        <ul className="space-y-0.5 text-danger">
          {errors.slice(0, 5).map(({ pointer, message }) => (
            <li key={pointer + message}>{message}.</li>
          ))}
        </ul>
      ) : query.error ? (
        <p className="text-danger">The people whom it means could not be counted. {problemOf(query.error).detail}</p>
      ) : query.data ? (
        <p className="text-muted">
          Means <strong className="text-foreground">{countOf(query.data.matchCount)}</strong> now.
        </p>
      ) : null}
    </div>
  );
}

const countOf = (n: number) => (n === 1 ? "1 person" : `${n.toLocaleString("en")} people`);
