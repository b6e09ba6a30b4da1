"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { TextInputArea } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";

/** Revokes every credential of a template (spec section 4). The dialog names the number, which the reader must type. */
export function RevokeAll({ template }: { template: { id: string; name: string } }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const { data } = useQuery(trpc.credentials.counts.queryOptions({ templateId: template.id }));
  const action = useAction(trpc.bulk.revokeTemplate.mutationOptions(), {
    done: "Revocation started",
    onDone: (job) => router.push(`/jobs/${job.id}`),
  });
  const count = data?.notRevoked ?? 0;
  const many = `${count.toLocaleString("en")} ${count === 1 ? "credential" : "credentials"}`;
  return (
    <Panel
      title="Revoke every credential"
      description="For when the template itself was wrong: revokes all that were ever issued from it, expired ones included."
    >
      <Button variant="danger-soft" isDisabled={count === 0} onPress={() => setOpen(true)}>
        {count === 0 ? "Nothing to revoke" : `Revoke ${many}…`}
      </Button>
      <Confirm
        isOpen={open}
        onOpenChange={(next) => {
          setOpen(next);
          setReason("");
          action.reset();
        }}
        title={`Revoke ${many} of ${template.name}?`}
        confirm={`Revoke ${many}`}
        isPending={action.isPending || action.isDone}
        problem={action.problem}
        entered={reason}
        typed={{ text: String(count), label: `Type ${count} to confirm` }}
        onConfirm={() => action.run({ id: template.id, reason, expectedCount: count })}
      >
        <p>
          <strong className="font-semibold">This cannot be undone.</strong>{" "}
          {count === 1
            ? "It fails verification, and its holder's page says"
            : `All ${many} fail verification, and their holders' pages say`}{" "}
          why. It runs in the background. If the number has changed by then, nothing is revoked.
        </p>
        <TextInputArea
          label="Public reason"
          name="reason"
          value={reason}
          onChange={setReason}
          rows={2}
          maxLength={500}
          isRequired
          description="Everyone who verifies one of these credentials reads this."
        />
      </Confirm>
    </Panel>
  );
}
