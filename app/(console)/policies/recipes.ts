/** Example rules to start from, in the state of the form. */
export const recipes = [
  {
    value: "students",
    label: "Students of this term",
    rule: {
      all: [
        { field: "attributes.role", op: "eq", value: "student" },
        { field: "attributes.endDate", op: "after", value: "now" },
      ],
    },
  },
  {
    value: "staff",
    label: "Staff with a contract",
    rule: {
      all: [
        { field: "attributes.role", op: "eq", value: "staff" },
        { field: "attributes.contract.end", op: "after", value: "now" },
      ],
    },
  },
  {
    value: "members",
    label: "Members who paid",
    rule: { field: "attributes.paidUntil", op: "after", value: "now" },
  },
] as const;

export type Recipe = (typeof recipes)[number]["value"];

/** The rule of a recipe as text. */
export const ruleOf = (recipe: Recipe): string =>
  JSON.stringify(recipes.find(({ value }) => value === recipe)!.rule, null, 2);
