"use client";
import { Choice } from "@/components/ui/choice";
import { opsOf, type Op } from "@/server/rules/rule";
import { AttributeInput } from "./attribute-input";
import { fieldOf, kindIn, opOf, withField, withOp, type EditedRule } from "./edit-rule";
import { OperandInput } from "./operand-input";
import { RemoveButton } from "./remove-button";
import { useErrorsAt } from "./rule-errors";
import { fieldOptions, wordsOfOp, type FieldChoice } from "./words";

interface Props {
  condition: EditedRule;
  pointer: string;
  onChange(condition: EditedRule): void;
  onRemove?(): void;
}

/** What is compared, how, and with what. */
export function ConditionFields({ condition, pointer, onChange, onRemove }: Props) {
  const { choice, path } = fieldOf(condition);
  const kind = kindIn(condition);
  const op = opOf(condition);
  const errors = useErrorsAt(pointer);
  const missing =
    choice === "attribute" && path === ""
      ? "Enter the attribute's name, as it stands in a person's record."
      : kind === "groups" && op !== "exists" && hasNone(condition["value"])
        ? "Choose a group."
        : null;
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1 space-y-1.5">
        <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
          <Choice
            compact
            label="What is compared"
            value={choice}
            onChange={(next: FieldChoice) => onChange(withField(condition, next))}
            options={fieldOptions}
          />
          {choice === "attribute" && (
            <AttributeInput
              value={path}
              onChange={(next) => onChange({ ...condition, op, field: `attributes.${next}` })}
            />
          )}
          <Choice
            compact
            label="How"
            value={op}
            onChange={(next: Op) => onChange(withOp(condition, next))}
            options={opsOf[kind].map((each) => ({ value: each, label: wordsOfOp(each, kind) }))}
          />
          <OperandInput
            key={op}
            kind={kind}
            op={op}
            value={condition["value"]}
            onChange={(value) => onChange({ ...condition, op, value })}
          />
        </div>
        {missing ? (
          <p className="text-xs text-muted">{missing}</p>
        ) : (
          errors.map((error) => (
            <p key={error} className="text-xs text-danger">
              {error}
            </p>
          ))
        )}
      </div>
      {onRemove && <RemoveButton what="condition" onRemove={onRemove} />}
    </div>
  );
}

const hasNone = (value: unknown) => (Array.isArray(value) ? value.length === 0 : !value);
