interface Named {
  displayName: string;
  email: string | null;
  externalId: string;
}

/**
 * How well a person matches a typed text: 0 if name, e-mail or external id equals it, 1 if one begins with it, 2 if a
 * word begins with it, 3 otherwise.
 */
export function closeness(text: string, { displayName, email, externalId }: Named): number {
  const typed = plain(text);
  const fields = [displayName, email ?? "", externalId].map(plain);
  if (fields.includes(typed)) return 0;
  if (fields.some((field) => field.startsWith(typed))) return 1;
  return fields.some((field) => field.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(typed))) ? 2 : 3;
}

/** Without case and accents. */
const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
