"use client";
import { Button } from "@heroui/react";
import { Notice } from "@/components/ui/notice";
import { useTemplate } from "../_data/names";
import type { FormPart } from "./form-part";

/** Warns that a policy revokes academic awards of people who leave, which every graduate does. */
export function AwardNotice({ templateId, form, onChange }: FormPart & { templateId: string }) {
  const template = useTemplate(templateId);
  if (template?.kind !== "academic" || form.onExit === "none") return null;
  return (
    <Notice
      tone="warning"
      title="Graduates would lose this award when they leave"
      action={
        <Button size="sm" variant="outline" onPress={() => onChange({ onExit: "none" })}>
          Let them keep it
        </Button>
      }
    >
      The credentials of this template are academic. A person who becomes inactive or no longer matches would lose
      theirs.
    </Notice>
  );
}
