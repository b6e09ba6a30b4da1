"use client";
import { Button, toast } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { SecretOnce } from "@/components/ui/secret-once";
import { Time } from "@/components/ui/time";
import type { Role } from "@/server/access/roles";
import type { RouterOutputs } from "@/server/trpc/root";
import { RolePicker } from "./role-picker";

type Invitation = RouterOutputs["members"]["invite"];

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The invitation to send again. Its earlier link stops working. */
  again?: { email: string; role: Role };
}

/** Invites one person by e-mail or, if the service sends no e-mail, with a link that is shown once. */
export function InviteDialog({ isOpen, onOpenChange, again }: Props) {
  const [made, setMade] = useState<Invitation | null>(null);
  const close = () => {
    onOpenChange(false);
    setMade(null);
  };
  const keepLink = (invitation: Invitation) => {
    if (invitation.url !== null) return setMade(invitation);
    toast.success(`Invitation sent to ${invitation.email}`);
    close();
  };
  const url = made?.url ?? null;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => (open ? onOpenChange(true) : close())}
      size={made ? "lg" : "md"}
      title={made ? `An invitation for ${made.email}` : again ? "Invite again" : "Invite a member"}
      insistent={made !== null}
    >
      {made && url !== null ? (
        <SecretOnce
          secrets={[{ label: "Invitation link", value: url }]}
          advice="Whoever opens this link first joins in your organisation's name. If it is lost, make a new one."
          kept="I have copied it"
          onDone={close}
        >
          <p className="text-[0.8125rem] text-pretty text-muted">
            This service sends no e-mail. Send the link to {made.email} yourself, by a way that only they read. It
            admits one person, once, and ends <Time at={made.expiresAt} />.
          </p>
        </SecretOnce>
      ) : (
        <InviteForm again={again} onDone={keepLink} />
      )}
    </Dialog>
  );
}

function InviteForm({ again, onDone }: { again: Props["again"]; onDone(made: Invitation): void }) {
  const trpc = useTRPC();
  const [email, setEmail] = useState(again?.email ?? "");
  const [role, setRole] = useState<Role>(again?.role ?? "issuer");
  const action = useAction(trpc.members.invite.mutationOptions(), { onDone });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ email, role }}
      onSubmit={() => action.run({ email, role })}
    >
      {again && (
        <p className="text-[0.8125rem] text-pretty">The link that {again.email} was given before stops working.</p>
      )}
      <TextInput
        label="E-mail"
        name="email"
        type="email"
        inputMode="email"
        value={email}
        onChange={setEmail}
        placeholder="registrar@example.org"
        isRequired
        isReadOnly={!!again}
        autoFocus={!again}
      />
      <RolePicker value={role} onChange={setRole} />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!email.trim()}>
          Invite
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
