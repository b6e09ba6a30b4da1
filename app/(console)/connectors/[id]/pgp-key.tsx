"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Copyable } from "@/components/ui/copy";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Fact, Facts } from "@/components/ui/facts";
import { CancelButton, ProblemForm, TextInput, TextInputArea } from "@/components/ui/fields";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import { useSession } from "../../_shell/session";
import type { Connector } from "../words";

/** The OpenPGP key of a connector: its public part to pass on to senders, and a form to set or remove it. */
export function PgpKey({ connector: { id, pgp } }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [asked, setAsked] = useState<"set" | "remove" | null>(null);
  const [privateKey, setPrivateKey] = useState("");
  const [passphrase, setPassphrase] = useState("");
  const close = () => {
    setAsked(null);
    setPrivateKey("");
    setPassphrase("");
  };
  const set = useAction(trpc.connectors.update.mutationOptions(), { done: "Key saved", onDone: close });
  const remove = useAction(trpc.connectors.update.mutationOptions(), { done: "Key removed", onDone: close });
  return (
    <Panel
      title="Encrypted files"
      description="Files may be encrypted with PGP to this key. They are decrypted before anything is applied."
      actions={
        can("connectors:write") && (
          <>
            <Button size="sm" variant="outline" onPress={() => setAsked("set")}>
              {pgp ? "Replace key" : "Set a key"}
            </Button>
            {pgp && (
              <Button size="sm" variant="ghost" onPress={() => setAsked("remove")}>
                Remove key
              </Button>
            )}
          </>
        )
      }
    >
      {pgp ? (
        <Facts>
          <Fact name="Fingerprint">
            <span className="font-mono text-xs break-all">{pgp.fingerprint}</span>
          </Fact>
          <Fact name="Public key, for senders">
            <Copyable text={pgp.publicKey} what="public key">
              Copy it here
            </Copyable>
          </Fact>
          <Fact name="Set">
            <Time at={pgp.setAt} />
          </Fact>
        </Facts>
      ) : (
        <p className="text-[0.8125rem] text-muted">No key is set. Encrypted files are refused.</p>
      )}
      <Dialog
        isOpen={asked === "set"}
        onOpenChange={(isOpen) => !isOpen && close()}
        size="lg"
        title={pgp ? "Replace the key" : "Set a key"}
      >
        <ProblemForm
          problem={set.problem}
          isPending={set.isPending}
          entered={privateKey + passphrase}
          onSubmit={() => set.run({ id, pgpKey: { privateKey, passphrase } })}
        >
          <p className="text-[0.8125rem] text-pretty text-muted">
            Make a pair of keys with a PGP program, such as Kleopatra or gpg, and export the private one as text.
            Senders get the public one, which is shown here once the key is saved.
            {pgp && " From then on, files that are encrypted to the key of before are refused."}
          </p>
          <TextInputArea
            label="Private key"
            name="pgpKey/privateKey"
            value={privateKey}
            onChange={setPrivateKey}
            rows={8}
            mono
            isRequired
            description="From -----BEGIN PGP PRIVATE KEY BLOCK----- to the last line. It is stored encrypted and never shown again."
          />
          <TextInput
            label="Passphrase"
            name="pgpKey/passphrase"
            type="password"
            value={passphrase}
            onChange={setPassphrase}
            description="Leave it empty if the key has none."
          />
          <DialogActions>
            <CancelButton />
            <Button type="submit" isPending={set.isPending}>
              Save key
            </Button>
          </DialogActions>
        </ProblemForm>
      </Dialog>
      <Confirm
        isOpen={asked === "remove"}
        onOpenChange={close}
        title="Remove the key?"
        confirm="Remove key"
        isPending={remove.isPending}
        problem={remove.problem}
        onConfirm={() => remove.run({ id, pgpKey: null })}
      >
        <p>Files that are encrypted to it are refused from now on. We keep no copy of the key.</p>
      </Confirm>
    </Panel>
  );
}
