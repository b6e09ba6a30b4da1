"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import { Notice } from "@/components/ui/notice";
import { GroupsInput } from "../_rule/groups-input";
import type { RuleError } from "../_rule/rule-errors";
import { RuleInput } from "../_rule/rule-input";
import type { Entered } from "./entered";
import type { FormPart } from "./form-part";
import { recipes, ruleOf, type Recipe } from "./recipes";

const ways: readonly { value: Entered["chosenBy"]; label: string; description: string }[] = [
  { value: "rule", label: "People by a rule", description: "Conditions on what is recorded of them." },
  { value: "group", label: "The members of a group", description: "Whoever is in the group holds a credential." },
];

/** Chooses who gets a credential: people who match a rule, for which recipes are offered, or the members of a group. */
export function HolderFields({
  form,
  onChange,
  isNew,
  refused,
}: FormPart & { isNew: boolean; refused: readonly RuleError[] }) {
  const [recipe, setRecipe] = useState<Recipe>("students");
  /** The chosen recipe, which would replace a rule that the person has written. */
  const [replacing, setReplacing] = useState<Recipe | null>(null);
  const isRule = form.chosenBy === "rule";
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Choice
          label="Who holds a credential"
          name="chosenBy"
          value={form.chosenBy}
          onChange={(chosenBy: Entered["chosenBy"]) => onChange({ chosenBy })}
          options={ways}
        />
        {isNew && isRule && (
          <Choice
            label="Start with an example"
            value={form.rule === ruleOf(recipe) ? recipe : null}
            placeholder="Your own rule"
            onChange={(next: Recipe) => {
              setRecipe(next);
              if (form.rule === ruleOf(recipe)) onChange({ rule: ruleOf(next) });
              else setReplacing(next);
            }}
            options={recipes}
          />
        )}
      </div>
      {replacing && isRule && (
        <Notice
          tone="warning"
          title="You have changed the rule"
          action={
            <div className="flex gap-2">
              <Button size="sm" variant="outline" onPress={() => setReplacing(null)}>
                Keep mine
              </Button>
              <Button
                size="sm"
                onPress={() => {
                  onChange({ rule: ruleOf(replacing) });
                  setReplacing(null);
                }}
              >
                Replace it
              </Button>
            </div>
          }
        >
          The example replaces the conditions that you chose.
        </Notice>
      )}
      {isRule ? (
        <RuleInput onlyActive refused={refused} value={form.rule} onChange={(rule) => onChange({ rule })} />
      ) : (
        <GroupsInput
          isList={false}
          anyKind
          value={form.groupId}
          onChange={(groupId) => onChange({ groupId: typeof groupId === "string" ? groupId : "" })}
        />
      )}
    </>
  );
}
