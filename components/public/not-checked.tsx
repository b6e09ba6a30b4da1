"use client";
import { Button } from "@heroui/react";
import { CircleHelp } from "lucide-react";
import { startTransition } from "react";
import { useRouter } from "next/navigation";
import { PublicFrame } from "./frame";
import { Message } from "./message";

/** The service itself is not well, or asked too often. Nothing is said of the credential. */
export function NotChecked({ reset }: { reset: () => void }) {
  const router = useRouter();
  const again = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <PublicFrame>
      <Message icon={CircleHelp} title="This could not be checked" tone="warning">
        <p>
          The service does not answer at the moment, or was asked too often from here. That says nothing for or against
          the credential. Wait a moment and try again.
        </p>
        <Button className="mt-4" onPress={again}>
          Try again
        </Button>
      </Message>
    </PublicFrame>
  );
}
