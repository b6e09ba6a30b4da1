"use client";
import { Switch } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { useSession } from "../_shell/session";
import { PasswordForm } from "./account/security/password-form";

/** Whether everyone in the organisation must use a second factor, and who does not have one yet. */
export function SecondFactorPolicy() {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data } = useQuery(trpc.organisation.secondFactorPolicy.queryOptions({}));
  const [asked, setAsked] = useState<"require" | "relax" | null>(null);
  const { current } = useSession();
  const own = useQuery(trpc.secondFactor.list.queryOptions());
  const action = useAction(trpc.organisation.requireSecondFactor.mutationOptions(), {
    done: "A second factor is required now",
    onDone: () => setAsked(null),
    loud: true,
  });
  const relax = useAction(trpc.organisation.makeSecondFactorOptional.mutationOptions(), {
    done: "A second factor is no longer required",
    onDone: () => setAsked(null),
  });
  if (!data) return null;
  const { required, members, without } = data;
  const missing =
    without === 0
      ? "All members have a second factor."
      : `${without} of ${members} ${members === 1 ? "member has" : "members have"} none yet.`;
  const change = (on: boolean) => {
    action.reset();
    relax.reset();
    setAsked(on ? "require" : "relax");
  };
  return (
    <Panel title="Second factor" description="An authenticator app or a passkey, besides the password.">
      <Switch isSelected={required} onChange={change} isDisabled={!can("settings:write") || action.isPending}>
        <Switch.Content className="items-start">
          <Switch.Control>
            <Switch.Thumb />
          </Switch.Control>
          <span className="min-w-0 text-[0.8125rem]">
            <span className="block font-medium">Everyone must use a second factor</span>
            <span className="block font-normal text-pretty text-muted">
              People without one are asked to set it up before they can go on. API keys and OAuth clients are not
              affected. {missing}
            </span>
          </span>
        </Switch.Content>
      </Switch>
      <Confirm
        isOpen={asked === "require"}
        onOpenChange={() => setAsked(null)}
        title="Require a second factor?"
        confirm="Require it"
        tone="primary"
        isPending={action.isPending}
        problem={action.problem}
        onConfirm={() => action.run({ required: true })}
      >
        <p>
          {missing} {without > 0 && "From their next click on, they can do nothing here until they have set one up."}
        </p>
        {without > 0 && <Notice tone="info">They are not told by e-mail. You may want to tell them first.</Notice>}
      </Confirm>
      <Dialog isOpen={asked === "relax"} onOpenChange={() => setAsked(null)} title="Stop requiring a second factor?">
        <PasswordForm
          hasPassword={own.data?.hasPassword ?? true}
          action={{
            run: ({ password }) => relax.run({ organisationId: current.orgId, password }),
            isPending: relax.isPending,
            problem: relax.problem,
          }}
          confirm="Stop requiring it"
          isDanger
        >
          <p className="text-[0.8125rem] text-pretty">
            People can sign in to {current.name} with a password alone from then on, and remove their second factor.
          </p>
        </PasswordForm>
      </Dialog>
    </Panel>
  );
}
