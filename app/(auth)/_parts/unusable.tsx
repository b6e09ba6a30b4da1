import { LinkIcon } from "lucide-react";
import { ButtonLink } from "@/components/ui/button-link";
import { problemOf } from "@/components/problem";
import { Heading } from "./heading";

/** Shown instead of a form whose link is no longer valid. */
export function Unusable({ error }: { error: unknown }) {
  return (
    <div>
      <span className="mb-5 grid size-11 place-items-center rounded-xl border bg-surface text-muted">
        <LinkIcon className="size-5" aria-hidden="true" />
      </span>
      <Heading title="This link does not work any more">{problemOf(error).detail}</Heading>
      <ButtonLink href="/sign-in" variant="outline">
        Go to sign-in
      </ButtonLink>
    </div>
  );
}
