"use client";
import { Switch } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { useSession } from "../_shell/session";

/** Whether everyone in the organisation must use a second factor, and who does not have one yet. */
export function SecondFactorPolicy() {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data } = useQuery(trpc.organisation.secondFactorPolicy.queryOptions({}));
  const [asked, setAsked] = useState(false);
  const action = useAction(trpc.organisation.requireSecondFactor.mutationOptions(), {
    done: ({ required }) => (required ? "A second factor is required now" : "A second factor is no longer required"),
    onDone: () => setAsked(false),
    loud: true,
  });
  if (!data) return null;
  const { required, members, without } = data;
  const missing = without === 0 ? "All members have a second factor." : `${without} of ${members} ${members === 1 ? "member has" : "members have"} none yet.`;
  const change = (on: boolean) => {
    action.reset();
    if (on) setAsked(true);
    else action.run({ required: false });
  };
  return (
    <Panel title="Second factor" description="An authenticator app or a passkey, besides the password.">
      <Switch isSelected={required} onChange={change} isDisabled={!can("settings:write") || action.isPending}>
        <Switch.Content className="items-start">
          <Switch.Control><Switch.Thumb /></Switch.Control>
          <span className="min-w-0 text-[0.8125rem]">
            <span className="block font-medium">Everyone must use a second factor</span>
            <span className="block font-normal text-pretty text-muted">People without one are asked to set it up before they can go on. API keys and OAuth clients are not affected. {missing}</span>
          </span>
        </Switch.Content>
      </Switch>
      <Confirm isOpen={asked} onOpenChange={setAsked} title="Require a second factor?" confirm="Require it" tone="primary" isPending={action.isPending} problem={action.problem} onConfirm={() => action.run({ required: true })}>
        <p>{missing} {without > 0 && "From their next click on, they can do nothing here until they have set one up."}</p>
        {without > 0 && <Notice tone="info">They are not told by e-mail. You may want to tell them first.</Notice>}
      </Confirm>
    </Panel>
  );
}
