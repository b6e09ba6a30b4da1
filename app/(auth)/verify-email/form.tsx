"use client";
import { Button } from "@heroui/react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { ProblemForm } from "@/components/ui/fields";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Heading } from "../_parts/heading";
import { Unusable } from "../_parts/unusable";
import { useLink } from "../_parts/use-link";

/**
 * Uses the link that verifies an address. Requires a press of a button, because programs that scan mail open links too.
 */
export function VerifyForm() {
  const { token, link } = useLink();
  const trpc = useTRPC();
  const action = useAction(trpc.links.verifyEmail.mutationOptions(), { keepsData: true });
  if (action.isDone) {
    return (
      <div>
        <Heading title="Your address is verified">
          You can reset your password by e-mail from now on, and are told when something needs you.
        </Heading>
        <ButtonLink href="/">Go to the console</ButtonLink>
      </div>
    );
  }
  if (link.error) return <Unusable error={link.error} />;
  if (!link.data) return <SkeletonLines lines={4} />;
  return (
    <>
      <Heading title="Verify your e-mail address">{link.data.email}</Heading>
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={null}
        onSubmit={() => action.run({ token })}
      >
        <Button type="submit" fullWidth size="lg" isPending={action.isPending}>
          This is my address
        </Button>
      </ProblemForm>
    </>
  );
}
