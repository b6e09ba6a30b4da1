"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Empty } from "@/components/ui/empty";
import { Panel } from "@/components/ui/panel";
import { SecretOnce } from "@/components/ui/secret-once";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../../_shell/session";
import type { Connector } from "../../words";

type Token = RouterOutputs["connectors"]["tokens"]["data"][number];

/** The tokens of a SCIM connection: at most two, which allows to rotate them without interruption. */
export function Tokens({ connector: { id } }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [secret, setSecret] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<Token | null>(null);
  const query = useQuery(trpc.connectors.tokens.queryOptions({ id }));
  const create = useAction(trpc.connectors.createToken.mutationOptions(), {
    loud: true,
    onDone: (made) => setSecret(made.secret),
  });
  const remove = useAction(trpc.connectors.deleteToken.mutationOptions(), {
    done: "Token deleted",
    onDone: () => setDeleting(null),
  });
  const tokens = query.data?.data ?? [];
  const write = can("connectors:write");
  return (
    <Panel
      flush
      title="Tokens"
      description={
        tokens.length < 2
          ? "The directory signs in with a token. To replace it, make a second one and enter it there. Once that one is in use, delete the old one."
          : "Two tokens work at a time. Delete the old one once the directory uses the new one."
      }
      actions={
        write &&
        tokens.length < 2 && (
          <Button size="sm" variant="outline" isPending={create.isPending} onPress={() => create.run({ id })}>
            <Plus aria-hidden="true" /> New token
          </Button>
        )
      }
    >
      {query.data && tokens.length === 0 && (
        <Empty icon={KeyRound} title="No token yet">
          Make one, and enter it in your directory.
        </Empty>
      )}
      <ul className="divide-y divide-separator">
        {tokens.map((token) => (
          <li
            key={token.id}
            className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 text-[0.8125rem] sm:px-5"
          >
            <div>
              <code className="font-mono text-xs">…{token.lastFour}</code>
              <p className="text-muted">
                {token.lastUsedAt ? (
                  <>
                    Last used <Time at={token.lastUsedAt} />
                  </>
                ) : (
                  "Not used yet"
                )}
                , made <Time at={token.createdAt} />
                {token.expiresAt && (
                  <>
                    , works until <Time at={token.expiresAt} as="exact" />
                  </>
                )}
              </p>
            </div>
            {write && (
              <Button size="sm" variant="outline" onPress={() => setDeleting(token)}>
                Delete token
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog
        isOpen={secret !== null}
        onOpenChange={(open) => !open && setSecret(null)}
        size="lg"
        title="Your new token"
        insistent
      >
        {secret && <SecretOnce secrets={[{ label: "Token", value: secret }]} onDone={() => setSecret(null)} />}
      </Dialog>
      <Confirm
        isOpen={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        title={`Delete the token …${deleting?.lastFour ?? ""}?`}
        confirm="Delete token"
        isPending={remove.isPending}
        problem={remove.problem}
        onConfirm={() => deleting && remove.run({ id, token: deleting.id })}
      >
        <p>A directory that still uses it is refused from its next request on.</p>
      </Confirm>
    </Panel>
  );
}
