"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Copyable } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { SecretOnce } from "@/components/ui/secret-once";
import { Time } from "@/components/ui/time";
import { useSession } from "../../_shell/session";
import type { Connector } from "../words";

/** The SFTP access data to pass on to the sender: address, user name, and the fingerprint to compare. */
export function SftpAccess({ connector: { id, settings } }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [password, setPassword] = useState<string | null>(null);
  const [isReplacing, setReplacing] = useState(false);
  const { data } = useQuery(trpc.connectors.sftp.queryOptions({ id }));
  const create = useAction(trpc.connectors.createSftpPassword.mutationOptions(), {
    loud: true,
    onDone: (made) => {
      setReplacing(false);
      setPassword(made.password);
    },
  });
  const keys = ((settings["publicKeys"] ?? []) as string[]).length;
  const mayWrite = can("connectors:write") && can("connectors:run");
  return (
    <Panel
      title="Send files by SFTP"
      description="Enter this in the program of whoever sends the files."
      actions={
        mayWrite &&
        data && (
          <Button
            size="sm"
            variant="outline"
            isPending={create.isPending}
            onPress={() => (data.hasPassword ? setReplacing(true) : create.run({ id }))}
          >
            New password
          </Button>
        )
      }
    >
      {data && !data.enabled && (
        <Notice tone="warning" title="This service takes no files by SFTP yet">
          Whoever operates it has to switch it on (SFTP_PORT).
        </Notice>
      )}
      {data && (
        <div className="space-y-4">
          <Facts>
            <Fact name="Server">{data.host && <Copyable text={data.host} what="server" />}</Fact>
            <Fact name="Port">{data.port && <Copyable text={String(data.port)} what="port" />}</Fact>
            <Fact name="User name">
              <Copyable text={data.username} what="user name" />
            </Fact>
            <Fact name="Password">
              {data.hasPassword && data.passwordSetAt ? (
                <>
                  Set <Time at={data.passwordSetAt} />
                </>
              ) : (
                "None"
              )}
            </Fact>
            <Fact name="Public keys">{keys > 0 ? String(keys) : "None"}</Fact>
            {data.hostKeys.map(({ type, fingerprint }) => (
              <Fact key={type} name={`Fingerprint (${type})`}>
                <span className="font-mono text-xs break-all">{fingerprint}</span>
              </Fact>
            ))}
          </Facts>
          <ul className="list-disc space-y-1 ps-5 text-[0.8125rem] text-muted">
            <li>Compare the fingerprint when the program connects for the first time.</li>
            <li>Send a file as people.csv.part and rename it to people.csv: then no half file is applied.</li>
            <li>Reports are in the folders archive and error.</li>
          </ul>
        </div>
      )}
      <Dialog
        isOpen={password !== null}
        onOpenChange={(open) => !open && setPassword(null)}
        size="lg"
        title="The new password"
        insistent
      >
        {password && <SecretOnce secrets={[{ label: "Password", value: password }]} onDone={() => setPassword(null)} />}
      </Dialog>
      <Confirm
        isOpen={isReplacing}
        onOpenChange={() => setReplacing(false)}
        title="Replace the password?"
        confirm="Replace password"
        isPending={create.isPending}
        problem={create.problem}
        onConfirm={() => create.run({ id })}
      >
        <p>The current password stops working at once, even for a program that is connected now.</p>
      </Confirm>
    </Panel>
  );
}
