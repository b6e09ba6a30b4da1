"use client";
import { Button } from "@heroui/react";
import { CircleAlert } from "lucide-react";
import { Empty } from "@/components/ui/empty";

/** Replaces a page that failed to render. The frame around it stays. */
export default function ConsoleError({ reset }: { reset(): void }) {
  return (
    <div role="alert" className="rounded-xl border bg-surface">
      <Empty
        icon={CircleAlert}
        title="This page failed"
        action={
          <Button variant="outline" onPress={reset}>
            Show it again
          </Button>
        }
      >
        Nothing was changed. If it stays, tell the operator what you were doing.
      </Empty>
    </div>
  );
}
