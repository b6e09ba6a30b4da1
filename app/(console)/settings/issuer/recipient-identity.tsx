"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Choice, type Option } from "@/components/ui/choice";
import { ProblemForm } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";

type Identity = RouterOutputs["issuer"]["get"]["recipientIdentity"];

const options: Option<Identity>[] = [
  {
    value: "hashed",
    label: "A fingerprint of their address",
    description: "Who knows the e-mail address can check it. The file names nobody.",
  },
  { value: "name", label: "The fingerprint, and their name", description: "Whoever has the file reads the name." },
  {
    value: "email",
    label: "Their name and e-mail address",
    description: "Whoever has the file reads both, so public pages no longer offer the files.",
  },
];

/** Chooses how the signed files of academic credentials identify their holder. */
export function RecipientIdentity({ issuer }: { issuer: RouterOutputs["issuer"]["get"] }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [chosen, setChosen] = useState(issuer.recipientIdentity);
  const action = useAction(trpc.issuer.update.mutationOptions(), { done: "Saved" });
  const canWrite = can("settings:write");
  return (
    <Panel
      title="Holders in signed files"
      description="How badges, documents and PDFs of academic credentials say for whom they are. Files that were given out stay as they are, and valid."
    >
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={chosen}
        onSubmit={() => action.run({ recipientIdentity: chosen, ifMatch: issuer.etag })}
      >
        <Choice<Identity>
          label="Signed files hold"
          name="recipientIdentity"
          value={chosen}
          onChange={setChosen}
          options={options}
          isDisabled={!canWrite}
          className="max-w-md"
          description={options.find(({ value }) => value === chosen)?.description}
        />
        {canWrite && (
          <Button
            type="submit"
            size="sm"
            className="mt-4"
            isPending={action.isPending}
            isDisabled={chosen === issuer.recipientIdentity}
          >
            Save
          </Button>
        )}
      </ProblemForm>
    </Panel>
  );
}
