"use client";
import { Button } from "@heroui/react";
import { Trash2 } from "lucide-react";

export function RemoveButton({ what, onRemove }: { what: string; onRemove(): void }) {
  return (
    <Button isIconOnly size="sm" variant="ghost" aria-label={`Remove ${what}`} onPress={onRemove}>
      <Trash2 aria-hidden="true" />
    </Button>
  );
}
