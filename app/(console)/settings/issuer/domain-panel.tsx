"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { AskFirst } from "@/components/console/ask-first";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";

type Issuer = RouterOutputs["issuer"]["get"];
type Domain = NonNullable<Issuer["domain"]>;

/**
 * The steps to sign under a domain of the organisation's own, which shows verifiers who it is: enter the domain, prove
 * it, use it.
 */
export function DomainPanel({ issuer }: { issuer: Issuer }) {
  const { can } = useSession();
  const { domain } = issuer;
  return (
    <Panel
      title="Your domain"
      description="Verifiers then see that whoever runs your domain issued a credential. What was signed before stays valid."
      actions={domain && can("settings:write") && <RemoveDomain domain={domain} etag={issuer.etag} />}
    >
      {domain ? (
        <DomainSteps domain={domain} etag={issuer.etag} />
      ) : can("settings:write") ? (
        <NameDomain etag={issuer.etag} />
      ) : (
        <p className="text-[0.8125rem] text-muted">None. Admins and owners can name one.</p>
      )}
    </Panel>
  );
}

function NameDomain({ etag }: { etag: string }) {
  const trpc = useTRPC();
  const [domain, setDomain] = useState("");
  const action = useAction(trpc.issuer.setDomain.mutationOptions(), { done: "Domain named" });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={domain}
      onSubmit={() => action.run({ domain, ifMatch: etag })}
    >
      <TextInput
        label="Domain"
        name="domain"
        value={domain}
        onChange={setDomain}
        placeholder="credentials.example.edu"
        className="max-w-md"
        description="One that your organisation owns. Nothing is signed under it before it is checked."
      />
      <Button type="submit" size="sm" className="mt-4" isPending={action.isPending} isDisabled={!domain.trim()}>
        Continue
      </Button>
    </ProblemForm>
  );
}

function DomainSteps({ domain, etag }: { domain: Domain; etag: string }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const check = useAction(trpc.issuer.verifyDomain.mutationOptions(), {
    done: ({ domain: checked }) =>
      checked?.problem ? "The domain is not set up yet" : "The domain is set up. It signs from now on",
  });
  const isActive = domain.status === "active";
  return (
    <div className="space-y-4">
      <Facts>
        <Fact name="Domain">
          <span className="inline-flex flex-wrap items-center gap-2">
            <Copyable text={domain.domain} what="domain" />
            <Status of={domain.status} label={isActive ? "Signs" : "Not checked yet"} />
          </span>
        </Fact>
        <Fact name="1. DNS record (TXT)">
          <Copyable text={domain.dnsName} what="name of the DNS record" />
          <Copyable text={domain.dnsValue} what="value of the DNS record" />
        </Fact>
        <Fact name="2. Address">
          <Copyable text={domain.didDocumentUrl} what="address of the DID document" />
          <p className="text-xs text-pretty text-muted">
            Let the domain point to this service, or let your web server pass this address on to it. This service
            answers it.
          </p>
        </Fact>
      </Facts>
      {domain.problem && (
        <Notice tone="warning" title={isActive ? "The last check found a problem" : "Not set up yet"}>
          <p className="break-words">{domain.problem}</p>
        </Notice>
      )}
      {can("settings:write") && (
        <Button
          size="sm"
          variant={isActive ? "outline" : "primary"}
          isPending={check.isPending}
          onPress={() => check.run({ ifMatch: etag })}
        >
          {isActive ? "Check again" : "Check and use it"}
        </Button>
      )}
    </div>
  );
}

function RemoveDomain({ domain, etag }: { domain: Domain; etag: string }) {
  const trpc = useTRPC();
  return (
    <AskFirst
      button="Remove…"
      title="Remove the domain?"
      confirm="Remove domain"
      mutation={trpc.issuer.removeDomain.mutationOptions()}
      input={{ ifMatch: etag }}
      done="Domain removed"
    >
      {domain.status === "active" ? (
        <p>
          From now on your organisation signs under the host of this service again. What was signed under{" "}
          <bdi>{domain.domain}</bdi> stays valid only as long as the domain goes on pointing here.
        </p>
      ) : (
        <p>
          Nothing was signed under <bdi>{domain.domain}</bdi> since it was named.
        </p>
      )}
    </AskFirst>
  );
}
