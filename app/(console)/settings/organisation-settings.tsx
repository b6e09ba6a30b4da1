"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";
import { RegionForm } from "./region-form";
import { SecondFactorPolicy } from "./second-factor-policy";
import { SettingsTabs } from "./settings-tabs";

type Organisation = RouterOutputs["organisation"]["get"];

export function OrganisationSettings() {
  const trpc = useTRPC();
  const query = useQuery(trpc.organisation.get.queryOptions({}));
  return (
    <>
      <PageHeader
        title="Settings"
        description="Your organisation as the people who hold and verify its credentials see it."
      />
      <SettingsTabs />
      <div className="max-w-3xl space-y-5">
        {query.data ? (
          <Details organisation={query.data} />
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

function Details({ organisation }: { organisation: Organisation }) {
  const { can } = useSession();
  return (
    <>
      <Panel title="Name" description="On every credential, its public page, and what verifiers are told.">
        <Reloadable>
          {(reload) => <NameForm organisation={organisation} isReadOnly={!can("settings:write")} onReload={reload} />}
        </Reloadable>
      </Panel>
      <Panel
        title="Dates"
        description="The first and last day of a credential are days in this time zone: on cards and public pages, in the console and in e-mails."
      >
        <Reloadable>
          {(reload) => <RegionForm organisation={organisation} isReadOnly={!can("settings:write")} onReload={reload} />}
        </Reloadable>
      </Panel>
      <SecondFactorPolicy />
      <Panel title="Identity">
        <Facts>
          <Fact name="Organisation id">
            <Copyable text={organisation.id} what="organisation id" />
          </Fact>
          <Fact name="Slug">
            <Copyable text={organisation.slug} what="slug" />
            <p className="text-xs text-muted">Part of addresses that others keep, so it stays as it is.</p>
          </Fact>
          <Fact name="Created">
            <Time at={organisation.createdAt} as="exact" />
          </Fact>
          <Fact name="Changed">
            <Time at={organisation.updatedAt} as="exact" />
          </Fact>
        </Facts>
      </Panel>
    </>
  );
}

/** Says whether the name is shown to verifiers as confirmed, and what a new name would change. */
const confirmationWords = ({ nameConfirmed }: Organisation) =>
  nameConfirmed
    ? "Confirmed by the operator of this service, and verifiers are told so. A new name is unconfirmed until the operator confirms it."
    : "Not confirmed: verifiers are told so until the operator of this service confirms the name.";

function NameForm({
  organisation,
  isReadOnly,
  onReload,
}: {
  organisation: Organisation;
  isReadOnly: boolean;
  onReload(): void;
}) {
  const trpc = useTRPC();
  const [name, setName] = useState(organisation.name);
  const action = useAction(trpc.organisation.update.mutationOptions(), {
    done: "Name saved: credentials show it from now on",
  });
  const {
    basis = organisation,
    ifMatch,
    conflict,
  } = useBasis({
    record: organisation,
    shown: (o) => ({ name: o.name }),
    entered: { name },
    onMerge: (merged) => setName(merged.name),
    labels: { name: "Organisation name" },
    action,
    reload: onReload,
  });
  const changed = name.trim() !== "" && name.trim() !== basis.name;
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={name}
      onSubmit={() => changed && action.run({ name, ifMatch })}
      conflict={conflict}
    >
      <TextInput
        label="Organisation name"
        name="name"
        value={name}
        onChange={setName}
        maxLength={200}
        isRequired
        isReadOnly={isReadOnly}
        autoComplete="organization"
        description={confirmationWords(organisation)}
      />
      {isReadOnly ? (
        <p className="text-xs text-muted">Admins and owners can change it.</p>
      ) : (
        <Button type="submit" isPending={action.isPending} isDisabled={!changed}>
          Save
        </Button>
      )}
    </ProblemForm>
  );
}
