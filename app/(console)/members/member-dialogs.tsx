"use client";
import { Button } from "@heroui/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm, Tick } from "@/components/ui/confirm";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";
import { RolePicker } from "./role-picker";
import { roleWords } from "./roles";

export type Member = RouterOutputs["members"]["list"]["data"][number];

export function RoleDialog({ member, onClose }: { member: Member; onClose(): void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={
        <>
          Change the role of <bdi>{member.name || member.email}</bdi>
        </>
      }
    >
      <RoleForm member={member} onClose={onClose} />
    </Dialog>
  );
}

function RoleForm({ member, onClose }: { member: Member; onClose(): void }) {
  const trpc = useTRPC();
  const { user } = useSession();
  const [role, setRole] = useState(member.role);
  const action = useAction(trpc.members.changeRole.mutationOptions(), {
    done: (changed) => `${changed.name || changed.email} is ${roleWords[changed.role].label.toLowerCase()} now`,
    onDone: onClose,
  });
  const self = member.userId === user.id;
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={null}
      onSubmit={() => action.run({ id: member.id, role })}
    >
      <RolePicker value={role} onChange={setRole} />
      {self && role !== member.role && (
        <Notice tone="warning" title="This is you">
          You may do less from your next click on, and cannot give yourself the role back.
        </Notice>
      )}
      {!self && (
        <p className="text-xs text-muted">
          It holds from their next request on. API keys that they made stay as they are. Invitations that they could not
          make with the new role are withdrawn.
        </p>
      )}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={role === member.role}>
          Change role
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

export function RemoveDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { user, current } = useSession();
  const self = member.userId === user.id;
  const name = member.name || member.email;
  const [revokeAccess, setRevokeAccess] = useState(false);
  const action = useAction(trpc.members.remove.mutationOptions(), {
    done: self ? `You left ${current.name}` : `${name} was removed`,
    onDone: () => {
      onClose();
      if (self) void queries.invalidateQueries({ queryKey: trpc.session.get.queryKey() });
    },
  });
  return (
    <Confirm
      isOpen
      onOpenChange={onClose}
      title={
        <>
          {self ? "Leave" : "Remove"} <bdi>{self ? current.name : name}</bdi>?
        </>
      }
      confirm={self ? "Leave" : "Remove member"}
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run({ id: member.id, revokeAccess })}
    >
      <p>
        {self
          ? "You cannot open this organisation from your next click on, until someone invites you again."
          : "They cannot open this organisation from their next request on. Their account stays, and they can be invited again."}
      </p>
      <p>
        What {self ? "you" : "they"} did stays in the audit log. Bulk actions that {self ? "you" : "they"} started stop.
      </p>
      <MadeAccess member={member} who={self ? "You" : "They"} isRevoked={revokeAccess} onChange={setRevokeAccess} />
    </Confirm>
  );
}

const shown = 8;

/**
 * What a member created: invitations, which end with the membership, and keys and OAuth clients, which end only if the
 * reader says so.
 */
function MadeAccess({
  member,
  who,
  isRevoked,
  onChange,
}: {
  member: Member;
  who: "You" | "They";
  isRevoked: boolean;
  onChange(revoked: boolean): void;
}) {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data, error } = useQuery(trpc.members.access.queryOptions({ id: member.id }, { enabled: can("keys:read") }));
  if (error)
    return (
      <p className="text-danger-soft-foreground">
        The keys and invitations that {who.toLowerCase()} made could not be loaded. Look at API keys before you go on.
      </p>
    );
  if (!data || data.length === 0) return null;
  const invitations = data.filter((each) => each.type === "invitation");
  return (
    <>
      {invitations.length > 0 && (
        <div className="rounded-lg border px-3.5 py-3">
          <p className="mb-2 font-medium text-foreground">
            {who} invited {invitations.length === 1 ? "someone who has" : `${invitations.length} people who have`} not
            joined yet. {invitations.length === 1 ? "This invitation is" : "These invitations are"} withdrawn.
          </p>
          <ul className="space-y-1.5 text-[0.8125rem] text-foreground">
            {invitations.slice(0, shown).map((each) => (
              <li key={each.id} className="truncate">
                {each.name}
              </li>
            ))}
            {invitations.length > shown && (
              <li className="text-xs text-muted">and {invitations.length - shown} more</li>
            )}
          </ul>
        </div>
      )}
      <MadeKeys
        made={data.filter((each) => each.type !== "invitation")}
        who={who}
        isRevoked={isRevoked}
        onChange={onChange}
      />
    </>
  );
}

const counted = (n: number, noun: string) => n > 0 && `${n} ${noun}${n === 1 ? "" : "s"}`;

type Made = RouterOutputs["members"]["access"][number];

function MadeKeys({
  made: data,
  who,
  isRevoked,
  onChange,
}: {
  made: Made[];
  who: "You" | "They";
  isRevoked: boolean;
  onChange(revoked: boolean): void;
}) {
  const { can } = useSession();
  if (data.length === 0) return null;
  const keys = data.filter((each) => each.type === "api_key").length;
  const count = [counted(keys, "API key"), counted(data.length - keys, "OAuth client")].filter(Boolean).join(" and ");
  return (
    <div className="rounded-lg border px-3.5 py-3">
      <p className="mb-2 font-medium text-foreground">
        {who} made {count} that still {data.length === 1 ? "works" : "work"}
      </p>
      <ul className="mb-3 space-y-1.5">
        {data.slice(0, shown).map((each) => (
          <li key={each.id} className="flex items-baseline justify-between gap-3 text-[0.8125rem]">
            <span className="min-w-0 truncate text-foreground">
              <bdi>{each.name}</bdi>{" "}
              <span className="text-muted">{each.type === "api_key" ? "API key" : "OAuth client"}</span>
            </span>
            <span className="shrink-0 text-xs text-muted">
              {each.lastUsedAt ? (
                <>
                  used <Time at={each.lastUsedAt} />
                </>
              ) : (
                "not used yet"
              )}
            </span>
          </li>
        ))}
        {data.length > shown && <li className="text-xs text-muted">and {data.length - shown} more</li>}
      </ul>
      <Tick isSelected={isRevoked} onChange={onChange} isDisabled={!can("keys:write")}>
        Revoke {data.length === 1 ? "it" : "them"} now. Whatever uses {data.length === 1 ? "it" : "them"} stops working.
      </Tick>
    </div>
  );
}
