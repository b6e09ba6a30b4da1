"use client";
import { Button } from "@heroui/react";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import { maxDepth } from "@/server/rules/rule";
import { ConditionFields } from "./condition-fields";
import { joined, joinOf, newCondition, partsIn, rejoined, type EditedRule } from "./edit-rule";
import { RemoveButton } from "./remove-button";
import { useErrorsOf } from "./rule-errors";
import { joinOptions, type Join } from "./words";

interface Props {
  node: EditedRule;
  /** The JSON pointer of the node in the form, such as /rule/all/0. */
  pointer: string;
  onChange(node: EditedRule): void;
  /** Absent for the whole rule. */
  onRemove?(): void;
  depth?: number;
}

/** A part of a rule: a condition, or several joined parts. */
export function RuleNode({ node, pointer, onChange, onRemove, depth = 1 }: Props) {
  const join = joinOf(node);
  if (join) return <Joined {...{ node, join, pointer, onChange, depth }} {...(onRemove && { onRemove })} />;
  return (
    <div className="space-y-2">
      <ConditionFields condition={node} pointer={pointer} onChange={onChange} {...(onRemove && { onRemove })} />
      {!onRemove && (
        <Button size="sm" variant="outline" onPress={() => onChange({ all: [node, newCondition] })}>
          <Plus aria-hidden="true" /> Add a condition
        </Button>
      )}
    </div>
  );
}

function Joined({ node, join, pointer, onChange, onRemove, depth = 1 }: Props & { join: Join }) {
  const parts = partsIn(node, join);
  // Each part has a key of its own, so that the fields of later parts keep their text when an earlier part is removed.
  const [keys, setKeys] = useState(() => parts.map((_, index) => index));
  const known = parts.map((_, index) => keys[index] ?? Math.max(-1, ...keys) + 1 + index);
  const change = (next: EditedRule[]) => onChange(joined(join, next));
  const remove = (at: number) => {
    setKeys(known.filter((_, index) => index !== at));
    change(parts.filter((_, index) => index !== at));
  };
  const add = (part: EditedRule) => {
    setKeys([...known, Math.max(-1, ...known) + 1]);
    change([...parts, part]);
  };
  const errors = useErrorsOf(pointer);
  return (
    <fieldset className="min-w-0 space-y-3 rounded-lg border p-3">
      <div className="flex items-center justify-between gap-2">
        <Choice
          compact
          label="How these conditions belong together"
          value={join}
          onChange={(next: Join) => onChange(rejoined(node, join, next))}
          options={joinOptions}
          className="w-52"
        />
        {onRemove && <RemoveButton what="these conditions" onRemove={onRemove} />}
      </div>
      {errors.map((error) => (
        <p key={error} className="text-xs text-danger">
          {error}
        </p>
      ))}
      {parts.map((part, index) => (
        <RuleNode
          key={known[index]}
          node={part}
          pointer={join === "not" ? `${pointer}/not` : `${pointer}/${join}/${index}`}
          depth={depth + 1}
          onChange={(next) => change(parts.with(index, next))}
          onRemove={() => (parts.length > 1 ? remove(index) : onRemove ? onRemove() : onChange(newCondition))}
        />
      ))}
      {join !== "not" && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="outline" onPress={() => add(newCondition)}>
            <Plus aria-hidden="true" /> Add a condition
          </Button>
          {depth < maxDepth - 1 && (
            <Button size="sm" variant="ghost" onPress={() => add({ any: [newCondition] })}>
              <Plus aria-hidden="true" /> Add several
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}
