import { resultOf } from "@/server/achievements/result-of";
import { evidenceBinding } from "./binding";
import { fieldsOf, namesHolder, type Design } from "./design";
import { evidenceIn } from "./evidence-text";

/** The binding of a result of an achievement, and of the credits that were earned. */
export const resultBinding = (key: string) => `credential.data.results.${key}` as const;
export const creditsBinding = "credential.data.creditsEarned";

/**
 * A part of an academic credential's files: the holder's name or address, credits, evidence, or the result under a key.
 */
export type FilePart = "address" | "name" | "credits" | "evidence" | `results.${string}`;

export interface PublicPage {
  /** What documents say about the holder. No page shows an address that a document contains in plain text. */
  recipientIdentity: string;
  /** Whether it names the holder. */
  publicName: boolean;
  /** The bindings of the fields that it shows. */
  bindings: readonly string[];
}

/**
 * Returns the parts of an academic credential's files that its public page hides. If there are any, the files are not
 * public, because they must not reveal more than the page.
 *
 * @param resultKeys the keys of the results that the achievement describes; the files contain no other results
 */
export function hiddenFromFiles(
  { recipientIdentity, publicName, bindings }: PublicPage,
  resultKeys: readonly string[],
  data: Record<string, unknown>,
): FilePart[] {
  const shows = (path: string) => bindings.some((each) => path === each || path.startsWith(`${each}.`));
  const results = resultKeys.filter((key) => resultOf(data, key) !== null && !shows(resultBinding(key)));
  return [
    ...(recipientIdentity === "email" ? (["address"] as const) : []),
    ...(publicName ? [] : (["name"] as const)),
    ...results.map((key) => `results.${key}` as const),
    ...(typeof data["creditsEarned"] === "number" && !shows(creditsBinding) ? (["credits"] as const) : []),
    ...(evidenceIn(data["evidence"]).length > 0 && !shows(evidenceBinding) ? (["evidence"] as const) : []),
  ];
}

/** hiddenFromFiles() for the public page of a design. */
export function hiddenParts(
  design: Design,
  recipientIdentity: string,
  results: readonly { key: string }[],
  data: Record<string, unknown>,
): FilePart[] {
  const shown = fieldsOf(design).filter(({ key }) => design.publicFields?.includes(key));
  const bindings = shown.flatMap(({ binding }) => binding ?? []);
  const keys = results.map(({ key }) => key);
  return hiddenFromFiles({ recipientIdentity, publicName: namesHolder(design), bindings }, keys, data);
}
