"use client";
import { Button } from "@heroui/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Building2, KeyRound, LifeBuoy, Pencil, Plus, Smartphone, Trash2 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState, type ReactNode } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { AppDialog } from "./app-dialog";
import { PasskeyDialog } from "./passkey-dialog";
import { ConnectDialog, DisconnectDialog } from "./sso-dialogs";
import {
  NewCodesDialog,
  RemoveAppDialog,
  RemovePasskeyDialog,
  RenamePasskeyDialog,
  type Passkey,
} from "./change-dialogs";

type Asked =
  | { step: "app" | "passkey" | "codes" | "remove-app" | "connect" | "disconnect" }
  | { step: "rename" | "remove"; passkey: Passkey };

/** The results of connecting single sign-on, as server/http/web/sso-callback.ts reports them. */
const ssoOutcomes: Record<string, { tone: "success" | "danger"; words: string }> = {
  connected: { tone: "success", words: "Single sign-on is connected." },
  taken: { tone: "danger", words: "That account is connected with another one here, or yours with another one there." },
};

/** The reader's second factors: an authenticator app, passkeys, recovery codes. */
export function SecurityPanel() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const query = useQuery(trpc.secondFactor.list.queryOptions());
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => {
    setAsked(null);
    void queries.invalidateQueries();
  };
  const { data } = query;
  const outcome = ssoOutcomes[useSearchParams().get("sso") ?? ""];
  if (!data)
    return (
      <Panel title="Second factor">
        {query.error ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonLines lines={4} />
        )}
      </Panel>
    );
  const { authenticatorApp: app, passkeys, recoveryCodesLeft: left, hasPassword, sso } = data;
  const isOn = app !== null || passkeys.length > 0;
  return (
    <>
      {outcome && <Notice tone={outcome.tone}>{outcome.words}</Notice>}
      <Panel
        flush
        title={
          <span className="flex items-center gap-2">
            Second factor {isOn ? <Status of="active" label="On" /> : <Status of="inactive" label="Off" />}
          </span>
        }
        description="Whoever learns your password cannot sign in without it. A passkey also signs you in without a password."
      >
        <ul className="divide-y divide-separator text-[0.8125rem]">
          <Row
            icon={Smartphone}
            title="Authenticator app"
            about={
              app ? (
                <>
                  Added <Time at={app.addedAt} as="date" />
                  {app.lastUsedAt && (
                    <>
                      , last used <Time at={app.lastUsedAt} />
                    </>
                  )}
                </>
              ) : (
                "Six digits from an app on your phone."
              )
            }
          >
            {app ? (
              <RowMenu
                label="Actions for the authenticator app"
                actions={[
                  {
                    id: "remove",
                    label: "Remove",
                    icon: Trash2,
                    danger: true,
                    onAction: () => setAsked({ step: "remove-app" }),
                  },
                ]}
              />
            ) : (
              <Button variant="outline" onPress={() => setAsked({ step: "app" })}>
                Set up
              </Button>
            )}
          </Row>
          {passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              icon={KeyRound}
              title={passkey.name}
              about={
                <>
                  Passkey, added <Time at={passkey.createdAt} as="date" />
                  {passkey.lastUsedAt ? (
                    <>
                      , last used <Time at={passkey.lastUsedAt} />
                    </>
                  ) : (
                    ", not used yet"
                  )}
                </>
              }
            >
              <RowMenu
                label={`Actions for ${passkey.name}`}
                actions={[
                  {
                    id: "rename",
                    label: "Rename",
                    icon: Pencil,
                    onAction: () => setAsked({ step: "rename", passkey }),
                  },
                  {
                    id: "remove",
                    label: "Remove",
                    icon: Trash2,
                    danger: true,
                    onAction: () => setAsked({ step: "remove", passkey }),
                  },
                ]}
              />
            </Row>
          ))}
          <Row
            icon={KeyRound}
            title={passkeys.length > 0 ? "Another passkey" : "Passkey"}
            about="Your fingerprint, face, PIN or a security key."
          >
            <Button variant="outline" onPress={() => setAsked({ step: "passkey" })}>
              <Plus aria-hidden="true" /> Add
            </Button>
          </Row>
          {isOn && (
            <Row
              icon={LifeBuoy}
              title="Recovery codes"
              about={
                <span className={left < 3 ? "font-medium text-danger" : ""}>
                  {left === 0 ? "None left" : `${left} left`}. Each signs you in once if you lose your second factor.
                </span>
              }
            >
              <Button variant="outline" onPress={() => setAsked({ step: "codes" })}>
                Make new ones
              </Button>
            </Row>
          )}
          {sso && (
            <Row
              icon={Building2}
              title={`Single sign-on with ${sso.name}`}
              about={
                sso.connectedAs === null
                  ? "Sign in with the account of your organisation."
                  : `Connected as ${sso.connectedAs}`
              }
            >
              <Button
                variant="outline"
                onPress={() => setAsked({ step: sso.connectedAs === null ? "connect" : "disconnect" })}
              >
                {sso.connectedAs === null ? "Connect" : "Disconnect"}
              </Button>
            </Row>
          )}
        </ul>
      </Panel>
      {asked?.step === "app" && <AppDialog hasPassword={hasPassword} onClose={close} />}
      {asked?.step === "passkey" && <PasskeyDialog hasPassword={hasPassword} onClose={close} />}
      {asked?.step === "codes" && <NewCodesDialog hasPassword={hasPassword} onClose={close} />}
      {asked?.step === "remove-app" && <RemoveAppDialog hasPassword={hasPassword} onClose={close} />}
      {asked?.step === "connect" && <ConnectDialog hasPassword={hasPassword} onClose={close} />}
      {asked?.step === "disconnect" && <DisconnectDialog hasPassword={hasPassword} onClose={close} />}
      {asked?.step === "rename" && <RenamePasskeyDialog passkey={asked.passkey} onClose={close} />}
      {asked?.step === "remove" && (
        <RemovePasskeyDialog passkey={asked.passkey} hasPassword={hasPassword} onClose={close} />
      )}
    </>
  );
}

function Row({
  icon: Icon,
  title,
  about,
  children,
}: {
  icon: typeof KeyRound;
  title: string;
  about: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <Icon className="size-4 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-xs text-pretty text-muted">{about}</p>
      </div>
      {children}
    </li>
  );
}
