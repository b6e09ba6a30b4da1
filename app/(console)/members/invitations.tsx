"use client";
import { useQuery } from "@tanstack/react-query";
import { RefreshCw, X } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Failure } from "@/components/ui/failure";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";
import { InviteDialog } from "./invite-dialog";
import { roleWords } from "./roles";

type Invitation = RouterOutputs["members"]["invitations"][number];

const mailWords = { pending: "Being sent", sent: "Sent by e-mail", failed: "Could not be sent" };

/** Lists invitations that have not been used. Renders nothing if there are none. */
export function Invitations() {
  const trpc = useTRPC();
  const { can } = useSession();
  const query = useQuery(
    trpc.members.invitations.queryOptions(
      {},
      { refetchInterval: ({ state }) => (state.data?.some((each) => each.mail === "pending") ? 2_000 : false) },
    ),
  );
  const [asked, setAsked] = useState<{ step: "again" | "withdraw"; invitation: Invitation } | null>(null);
  const close = () => setAsked(null);
  if (query.error && !query.data)
    return (
      <Panel title="Invitations" className="mt-5">
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      </Panel>
    );
  if (!query.data || query.data.length === 0) return null;
  return (
    <Panel flush title="Invitations" description="Each admits one person, once." className="mt-5">
      <ul className="divide-y divide-separator text-[0.8125rem]">
        {query.data.map((each) => (
          <li key={each.id} className="flex items-center gap-4 px-4 py-2.5 sm:px-5">
            <div className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-4">
              <p className="min-w-0 flex-1 truncate font-medium">{each.email}</p>
              {each.mail && (
                <p className={each.mail === "failed" ? "text-danger" : "text-muted"}>{mailWords[each.mail]}</p>
              )}
              <p className="text-muted sm:w-24">{roleWords[each.role].label}</p>
              <p className="text-muted sm:w-36 sm:text-right">
                ends <Time at={each.expiresAt} />
              </p>
            </div>
            {can(each.role === "owner" ? "members:owners" : "members:write") && (
              <RowMenu
                label={`Actions for the invitation of ${each.email}`}
                actions={[
                  {
                    id: "again",
                    label: each.mail ? "Send again" : "Make a new link",
                    icon: RefreshCw,
                    onAction: () => setAsked({ step: "again", invitation: each }),
                  },
                  {
                    id: "withdraw",
                    label: "Withdraw",
                    icon: X,
                    danger: true,
                    onAction: () => setAsked({ step: "withdraw", invitation: each }),
                  },
                ]}
              />
            )}
          </li>
        ))}
      </ul>
      {asked?.step === "again" && <InviteDialog isOpen onOpenChange={close} again={asked.invitation} />}
      {asked?.step === "withdraw" && <WithdrawDialog invitation={asked.invitation} onClose={close} />}
    </Panel>
  );
}

function WithdrawDialog({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const trpc = useTRPC();
  const action = useAction(trpc.members.withdrawInvitation.mutationOptions(), {
    done: "Invitation withdrawn",
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      onOpenChange={onClose}
      title="Withdraw this invitation?"
      confirm="Withdraw"
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run({ id: invitation.id })}
    >
      <p>The link that {invitation.email} was given leads nowhere from now on. You can invite them again.</p>
    </Confirm>
  );
}
