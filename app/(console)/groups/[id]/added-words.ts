interface Added {
  added: number;
  unchanged: number;
  failed: number;
}

/** Says what happened to people who were to be added to a group. */
export function addedWords({ added, unchanged, failed }: Added): string {
  if (added > 0) return `${count(added)} added`;
  if (unchanged > 0 && failed === 0)
    return `Nobody was added: ${unchanged === 1 ? "they are" : "all are"} in the group already`;
  return "Nobody was added";
}

/** Says what happened to the other people if some ids were not found. */
export function othersWords({ added, unchanged }: Added): string {
  if (added > 0) return `${count(added)} ${added === 1 ? "was" : "were"} added.`;
  return unchanged > 0 ? "Nobody was added: the others are in the group already." : "Nobody was added.";
}

const count = (n: number) => (n === 1 ? "1 person" : `${n.toLocaleString("en")} people`);
