"use client";
import { Button } from "@heroui/react";
import { CircleOff, KeySquare } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Copyable } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Fact, Facts } from "@/components/ui/facts";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SecretOnce } from "@/components/ui/secret-once";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { ScopeSummary } from "../scope-picker";

type Client = RouterOutputs["access"]["oauthClients"]["list"]["data"][number];

/** Shows one client: its id, its secrets, its last use. It has at most two secrets, so that one can be rotated out. */
export function ClientPanel({ client }: { client: Client }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [asked, setAsked] = useState<"revoke" | { retire: string } | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setAsked(null);
  const add = useAction(trpc.access.oauthClients.addSecret.mutationOptions(), {
    onDone: (made) => setSecret(made.clientSecret),
    loud: true,
  });
  const retire = useAction(trpc.access.oauthClients.retireSecret.mutationOptions(), {
    done: "Secret retired",
    onDone: close,
  });
  const revoke = useAction(trpc.access.oauthClients.revoke.mutationOptions(), {
    done: "Client revoked",
    onDone: close,
  });
  const live = client.revokedAt === null && can("keys:write");
  return (
    <Panel
      title={
        <span className="flex items-center gap-2.5">
          {client.name} <Status of={client.revokedAt ? "revoked" : "active"} />
        </span>
      }
      actions={
        live && (
          <RowMenu
            label={`Actions for ${client.name}`}
            actions={[
              client.secrets.length < 2 && {
                id: "add",
                label: "Add a second secret",
                icon: KeySquare,
                onAction: () => add.run({ id: client.id }),
              },
              {
                id: "revoke",
                label: "Revoke client",
                icon: CircleOff,
                danger: true,
                onAction: () => setAsked("revoke"),
              },
            ]}
          />
        )
      }
    >
      <Facts>
        <Fact name="Client id">
          <Copyable text={client.clientId} what="client id" />
        </Fact>
        <Fact name="Secrets">
          {client.revokedAt ? null : (
            <ul className="space-y-1">
              {client.secrets.map((each) => (
                <li key={each.id} className="flex flex-wrap items-center gap-x-3">
                  <code className="font-mono text-xs">{each.hint}</code>
                  <span className="text-muted">
                    made <Time at={each.createdAt} />
                  </span>
                  {live && (
                    <Button
                      size="sm"
                      variant="ghost"
                      className="h-6 px-2 text-xs md:h-6"
                      onPress={() => setAsked({ retire: each.id })}
                    >
                      Retire
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact name="Scopes">
          <ScopeSummary scopes={client.scopes} />
        </Fact>
        <Fact name="Last used">
          <Time at={client.lastUsedAt} absent="Not used yet" />
        </Fact>
      </Facts>
      <Confirm
        isOpen={asked === "revoke"}
        onOpenChange={close}
        title={`Revoke ${client.name}?`}
        confirm="Revoke client"
        isPending={revoke.isPending}
        problem={revoke.problem}
        onConfirm={() => revoke.run({ id: client.id })}
      >
        <p>
          <strong className="font-semibold">This cannot be undone.</strong> Its secrets and every access token that it
          holds stop at once.
        </p>
      </Confirm>
      <Confirm
        isOpen={typeof asked === "object" && asked !== null}
        onOpenChange={close}
        title="Retire this secret?"
        confirm="Retire secret"
        isPending={retire.isPending}
        problem={retire.problem}
        onConfirm={() => typeof asked === "object" && asked && retire.run({ id: client.id, secretId: asked.retire })}
      >
        <p>No new token can be got with it from now on. Tokens that were got with it live out their 15 minutes.</p>
        {client.secrets.length === 1 && <p>It is the only one: the client cannot get a token until it has another.</p>}
      </Confirm>
      <Dialog
        isOpen={secret !== null}
        onOpenChange={() => setSecret(null)}
        size="lg"
        insistent
        title="A second secret"
        description="Both work now. Retire the first once your system uses this one."
      >
        <SecretOnce secrets={[{ label: "Client secret", value: secret ?? "" }]} onDone={() => setSecret(null)} />
      </Dialog>
    </Panel>
  );
}
