"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { SettingsTabs } from "../settings-tabs";
import { DomainPanel } from "./domain-panel";
import { RecipientIdentity } from "./recipient-identity";
import { RevokeKey } from "./revoke-key";
import { RotateKey } from "./rotate-key";

type Issuer = RouterOutputs["issuer"]["get"];

/** The organisation as an issuer of academic credentials: its DID, and its present and earlier signing keys. */
export function IssuerSettings() {
  const trpc = useTRPC();
  const query = useQuery(trpc.issuer.get.queryOptions({}));
  return (
    <>
      <PageHeader
        title="Settings"
        description="How verifiers anywhere recognise what your organisation signed: its academic credentials and their status lists."
      />
      <SettingsTabs />
      <div className="max-w-3xl space-y-5">
        {query.data ? (
          <Details issuer={query.data} />
        ) : (
          <Panel>
            {query.error ? (
              <Failure error={query.error} onRetry={() => void query.refetch()} />
            ) : (
              <SkeletonLines lines={6} />
            )}
          </Panel>
        )}
      </div>
    </>
  );
}

function Details({ issuer }: { issuer: Issuer }) {
  const { can } = useSession();
  return (
    <>
      <Panel title="Identity" description="The name under which your organisation signs.">
        <Facts>
          <Fact name="DID">
            <Copyable text={issuer.did} what="DID" />
          </Fact>
          <Fact name="DID document">
            <Copyable text={issuer.didDocumentUrl} what="address of the DID document" />
            <p className="text-xs text-muted">Verifiers read your public keys here.</p>
          </Fact>
          {issuer.did !== issuer.serviceDid && (
            <Fact name="Also known as">
              <Copyable text={issuer.serviceDid} what="DID under this service" />
              <p className="text-xs text-muted">What was signed before names this DID, and stays valid.</p>
            </Fact>
          )}
        </Facts>
      </Panel>
      <DomainPanel issuer={issuer} />
      <Panel
        title="Signing keys"
        description="One key signs. The next one is published already, so that verifiers know it before it signs. Retired keys stay listed, so that everything they signed stays valid. A key that somebody copied is revoked: then nothing that it signed is valid."
        actions={can("settings:write") && <RotateKey etag={issuer.etag} />}
      >
        <ul className="divide-y divide-separator text-[0.8125rem]">
          {issuer.keys.map((key) => (
            <Key key={key.id} of={key} etag={issuer.etag} />
          ))}
        </ul>
        {!can("settings:write") && <p className="mt-3 text-xs text-muted">Admins and owners can replace the key.</p>}
      </Panel>
      <RecipientIdentity key={issuer.etag} issuer={issuer} />
    </>
  );
}

function Key({ of: key, etag }: { of: Issuer["keys"][number]; etag: string }) {
  const { can } = useSession();
  const word = { active: "Signs", next: "Next", retired: "Retired", revoked: "Revoked" }[key.status];
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 grow basis-64">
        <Copyable text={key.publicKeyMultibase} what="public key" />
        <p className="text-xs text-muted">
          Ed25519 · made <Time at={key.createdAt} as="exact" />
          {key.activatedAt && (
            <>
              {" "}
              · {key.retiredAt ? "signed from" : "signs since"} <Time at={key.activatedAt} as="exact" />
            </>
          )}
          {key.retiredAt && !key.revokedAt && (
            <>
              {" "}
              · retired <Time at={key.retiredAt} as="exact" />
            </>
          )}
          {key.revokedAt && (
            <>
              {" "}
              · revoked <Time at={key.revokedAt} as="exact" />
            </>
          )}
        </p>
      </div>
      <div className="flex items-center gap-2">
        {can("settings:write") && key.status !== "revoked" && <RevokeKey of={key} etag={etag} />}
        <Status of={key.status} label={word} />
      </div>
    </li>
  );
}
