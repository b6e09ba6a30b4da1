"use client";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Notice } from "@/components/ui/notice";
import type { ClaimLinkView } from "@/server/claims/view";
import { fieldsOf } from "@/server/templates/design";

interface Props {
  /** Empty while none is chosen. */
  templateId: string;
  needsApproval: boolean;
  fields: ClaimLinkView["fields"];
}

/** Warns of a claim link that nobody new can use, and of one that gives an identity card to anybody. */
export function LinkWarnings({ templateId, needsApproval, fields }: Props) {
  const trpc = useTRPC();
  const { data: template } = useQuery(trpc.templates.get.queryOptions(templateId ? { id: templateId } : skipToken));
  if (!template) return null;
  const { kind, version } = template;
  const { validity } = version;
  const asked = (fields ?? fieldsOf(version.design)).map(({ binding }) => binding);
  const isWithoutEnd =
    validity.type === "attribute" &&
    !asked.some(
      (name) => name === `attributes.${validity.attribute}` || name === `credential.data.${validity.attribute}`,
    );
  const isIdentity = kind === "employee_id" || kind === "student_id";
  return (
    <>
      {isWithoutEnd && (
        <Notice tone="warning" title="Only people on record can get this credential">
          The template takes the last day from “{validity.attribute}” of each person, and the link does not ask for it.
          Somebody new has no such date, so their claim fails. Add people with that date first, or choose another
          validity for the template.
        </Notice>
      )}
      {isIdentity && !needsApproval && (
        <Notice tone="warning" title="Anybody with an e-mail address gets this card at once">
          {kind === "student_id" ? "A student ID" : "An employee ID"} says that its holder belongs to you. Choose “After
          approval”, unless only the right people can see the link.
        </Notice>
      )}
    </>
  );
}
