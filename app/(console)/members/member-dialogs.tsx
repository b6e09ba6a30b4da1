"use client";
import { Button } from "@heroui/react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ProblemForm } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";
import { RolePicker } from "./role-picker";
import { roleWords } from "./roles";

export type Member = RouterOutputs["members"]["list"]["data"][number];

export function RoleDialog({ member, onClose }: { member: Member; onClose(): void }) {
  return (
    <Dialog isOpen onOpenChange={onClose} title={`Change the role of ${member.name || member.email}`}>
      <RoleForm member={member} onClose={onClose} />
    </Dialog>
  );
}

function RoleForm({ member, onClose }: { member: Member; onClose(): void }) {
  const trpc = useTRPC();
  const { user } = useSession();
  const [role, setRole] = useState(member.role);
  const action = useAction(trpc.members.changeRole.mutationOptions(), { done: (changed) => `${changed.name || changed.email} is ${roleWords[changed.role].label.toLowerCase()} now`, onDone: onClose });
  const self = member.userId === user.id;
  return (
    <ProblemForm problem={action.problem} onSubmit={() => action.run({ id: member.id, role })}>
      <RolePicker value={role} onChange={setRole} />
      {self && role !== member.role && <Notice tone="warning" title="This is you">You may do less from your next click on, and cannot give yourself the role back.</Notice>}
      {!self && <p className="text-xs text-muted">It holds from their next request on. API keys that they made stay as they are.</p>}
      <DialogActions>
        <Button variant="outline" onPress={onClose}>Cancel</Button>
        <Button type="submit" isPending={action.isPending} isDisabled={role === member.role}>Change role</Button>
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
      title={self ? `Leave ${current.name}?` : `Remove ${name}?`}
      confirm={self ? "Leave" : "Remove member"}
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run({ id: member.id })}
    >
      <p>{self ? "You cannot open this organisation from your next click on, until someone invites you again." : "They cannot open this organisation from their next request on. Their account stays, and they can be invited again."}</p>
      <p>What {self ? "you" : "they"} did stays in the audit log. API keys that {self ? "you" : "they"} made keep working; revoke those that {self ? "you" : "they"} may still hold.</p>
    </Confirm>
  );
}
