"use client";
import { useGroupNames } from "../_data/names";
import { fieldOf, joinOf, kindIn, opOf, partsIn, type EditedRule } from "./edit-rule";
import { joinOptions, wordsOfField, wordsOfGroup, wordsOfOp, wordsOfTime } from "./words";

/** A rule in words, as a list of its conditions. */
export function RuleView({ rule }: { rule: EditedRule }) {
  const nameOf = useNameOfGroup(rule);
  return (
    <div className="text-[0.8125rem] wrap-anywhere">
      <Node node={rule} nameOf={nameOf} />
    </div>
  );
}

/** A group's name; its id while the name loads. */
export type NameOf = (id: string) => string;

/** The names of the groups in a rule. */
export function useNameOfGroup(rule: EditedRule, others: readonly string[] = []): NameOf {
  const nameOf = useGroupNames([...groupsIn(rule), ...others]);
  return (id) => wordsOfGroup(id, nameOf(id));
}

function Node({ node, nameOf }: { node: EditedRule; nameOf: NameOf }) {
  const join = joinOf(node);
  if (!join) return <Condition condition={node} nameOf={nameOf} />;
  return (
    <div>
      <p className="text-muted">{joinOptions.find(({ value }) => value === join)!.label}</p>
      <ul className="mt-1 space-y-1 border-l pl-3">
        {partsIn(node, join).map((part, index) => (
          <li key={index}>
            <Node node={part} nameOf={nameOf} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One condition in words. */
export function Condition({ condition, nameOf }: { condition: EditedRule; nameOf: NameOf }) {
  const { choice, path } = fieldOf(condition);
  const op = opOf(condition);
  const { value } = condition;
  const field = choice === "attribute" ? path : wordsOfField(choice);
  const isGroup = choice === "groups";
  if (op === "exists" && isGroup) return value === false ? "Is in no group" : "Is in a group";
  if (op === "exists")
    return (
      <>
        <Field name={field} /> {value === false ? "is missing" : wordsOfOp(op, "text")}
      </>
    );
  const values = (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) =>
    op === "before" || op === "after" ? wordsOfTime(each) : wordsOfValue(each, isGroup, nameOf),
  );
  return (
    <>
      {isGroup ? `I${wordsOfOp(op, "groups").slice(1)}` : <Field name={field} />}{" "}
      {!isGroup && wordsOfOp(op, kindIn(condition))} <bdi className="font-medium">{values.join(", ")}</bdi>
    </>
  );
}

const Field = ({ name }: { name: string }) => <bdi className="font-medium">{name}</bdi>;

/** Returns a value in words; a group by its name. */
export function wordsOfValue(value: unknown, isGroup: boolean, nameOf: NameOf): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === "") return "empty";
  const text = String(value as string | number);
  return isGroup ? nameOf(text) : text;
}

function groupsIn(node: EditedRule): string[] {
  const join = joinOf(node);
  if (join) return partsIn(node, join).flatMap(groupsIn);
  const { field, value } = node;
  if (field !== "groups") return [];
  return (Array.isArray(value) ? (value as unknown[]) : [value]).filter((id): id is string => typeof id === "string");
}
