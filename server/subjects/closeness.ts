interface Named {
  displayName: string;
  email: string | null;
  externalId: string;
}

/** How close a person is to what was typed: 0 has it as name, e-mail or external id, 1 begins with it, 2 has it as the begin of a word, 3 elsewhere. */
export function closeness(text: string, { displayName, email, externalId }: Named): number {
  const typed = plain(text);
  const fields = [displayName, email ?? "", externalId].map(plain);
  if (fields.includes(typed)) return 0;
  if (fields.some((field) => field.startsWith(typed))) return 1;
  return fields.some((field) => field.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(typed))) ? 2 : 3;
}

/** Without case and accents. */
const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
