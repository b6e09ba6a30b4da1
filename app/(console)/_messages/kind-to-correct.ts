import type { Problem } from "@/components/problem";
import { automaticKinds, type AutomaticKind } from "@/server/message-texts/kinds";

/**
 * The kind of message to show after a refusal: the shown one, unless only the texts of other kinds have errors. The form
 * has the fields of one kind at a time.
 */
export function kindToCorrect({ errors = [] }: Pick<Problem, "errors">, shown: AutomaticKind): AutomaticKind {
  const failing = automaticKinds.filter((kind) =>
    errors.some(({ pointer }) => pointer.startsWith(`/messages/texts/${kind}/`)),
  );
  return failing.includes(shown) ? shown : (failing[0] ?? shown);
}
