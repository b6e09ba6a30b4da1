"use client";
import { Button, Skeleton } from "@heroui/react";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { CreditCard, FileArchive, Plus, SearchX, UserCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { DownloadButton } from "@/components/console/download-button";
import { streamed, useTRPC, useTRPCClient } from "@/components/trpc/client";
import { countElsewhere, useChosen } from "@/components/ui/chosen";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { ButtonLink } from "@/components/ui/button-link";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SearchBox } from "@/components/ui/search-box";
import { Status } from "@/components/ui/status";
import { LastDay, Time } from "@/components/ui/time";
import { useSort } from "@/components/ui/use-sort";
import { credentialStates, type CredentialState } from "@/server/credentials/states";
import type { CredentialView } from "@/server/credentials/view";
import { useSubjectNames, useTemplateOptions } from "../_data/names";
import { useSession } from "../_shell/session";
import { TemplateName } from "../templates/template-name";
import { ArchiveDialog } from "./archive-dialog";
import { ChooseAll } from "./choose-all";
import { ChosenCredentials } from "./chosen-credentials";
import { IssueDialog } from "./issue-dialog";

type Listed = CredentialView & { holder: string | undefined };

const column = columnsOf<Listed>();
const columns = column.columns([
  column.accessor("holder", {
    header: "Holder",
    meta: { phone: "title" },
    cell: ({ row: { original: c } }) => (c.holder !== undefined ? <bdi>{c.holder}</bdi> : <NameToCome code={c.code} />),
  }),
  column.accessor("templateId", { header: "Template", cell: ({ getValue }) => <TemplateName id={getValue()} /> }),
  column.accessor("state", { header: "State", cell: ({ getValue }) => <Status of={getValue()} /> }),
  column.accessor("code", {
    header: "Code",
    meta: { wide: true, phone: "hide" },
    cell: ({ getValue }) => <code className="font-mono text-xs whitespace-nowrap text-muted">{getValue()}</code>,
  }),
  column.accessor("issuedAt", {
    header: "Issued",
    meta: { sort: "issuedAt", sortFirst: "desc", sortWords: ["oldest first", "newest first"] },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} as="date" />
      </span>
    ),
  }),
  column.accessor("expiresAt", {
    header: "Valid through",
    meta: { align: "end", sort: "expiresAt", sortWords: ["soonest first", "latest first"] },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <LastDay end={getValue()} absent="No end" />
      </span>
    ),
  }),
]);

const stateOptions = credentialStates.map((state) => ({
  value: state,
  label: state.charAt(0).toUpperCase() + state.slice(1),
}));
const filters = {
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(credentialStates),
  template: parseAsString,
};
type Narrowing = { q?: string | null; state?: CredentialState | null; template?: string | null };

/**
 * The search: the credential with this code if there is one, else holders. A name can look like a code of 16 letters.
 */
function useSearch(text: string): { q?: string; code?: string } {
  const trpc = useTRPC();
  const mayBeCode = /^[0-9a-z]{16}$/i.test(text.replaceAll(/[\s-]/g, ""));
  const byCode = useQuery(trpc.credentials.list.queryOptions(mayBeCode ? { code: text, limit: 1 } : skipToken));
  if (!text) return {};
  return mayBeCode && byCode.data?.data.length ? { code: text } : { q: text };
}

export function CredentialList() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  const { can, user, current } = useSession();
  const [{ q, state, template }, setFilters] = useQueryStates(filters);
  const at = usePage();
  const sort = useSort(["issuedAt", "expiresAt"], () => void at.setPage(null));
  const [issuing, setIssuing] = useState(false);
  const [archiving, setArchiving] = useState(false);
  const choosing = useChosen<Listed>(`credentials ${user.id} ${current.orgId}`);
  const narrow = (next: Narrowing) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const search = useSearch(q);
  const templateOptions = useTemplateOptions(template);
  const narrowed = { ...search, ...(state && { state }), ...(template && { templateId: template }) };
  const query = useQuery(
    trpc.credentials.list.queryOptions(
      { ...at.range, ...narrowed, ...(sort.by && { sort: sort.by }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const listed = useListed(query.data);
  // The limit is 1, because only the total is needed.
  const confirming = useQuery(
    trpc.confirmations.list.queryOptions(can("subjects:read") ? { state: "waiting", limit: 1, offset: 0 } : skipToken),
  );
  const issue = can("credentials:issue") && (
    <Button onPress={() => setIssuing(true)}>
      <Plus aria-hidden="true" /> Issue credential
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Credentials"
        description="Everything that was ever issued. What is revoked or expired stays, with its history."
        actions={
          <>
            {confirming.data?.total ? (
              <ButtonLink href="/credentials/names" variant="outline">
                <UserCheck aria-hidden="true" />{" "}
                {confirming.data.total === 1 ? "1 name" : `${confirming.data.total.toLocaleString("en")} names`} to
                confirm
              </ButtonLink>
            ) : null}
            {issue}
          </>
        }
      />
      <ListFrame
        filters={
          <>
            <SearchBox
              label="Search credentials"
              placeholder="Holder or code"
              value={q}
              onChange={(next) => narrow({ q: next || null })}
              className="w-full sm:w-64"
            />
            <Filter
              label="State"
              any="Any state"
              value={state}
              onChange={(next) => narrow({ state: next })}
              options={stateOptions}
              className="w-34"
            />
            <Filter
              label="Template"
              any="Any template"
              value={template}
              onChange={(next) => narrow({ template: next })}
              options={templateOptions}
              className="w-44"
            />
            <span className="ms-auto flex flex-wrap gap-2">
              {can("subjects:read") && (
                <Button variant="outline" size="sm" onPress={() => setArchiving(true)}>
                  <FileArchive aria-hidden="true" /> Download files
                </Button>
              )}
              <DownloadButton
                name="credentials"
                label="Download CSV"
                open={() =>
                  client.credentials.export.query({ ...narrowed, ...(sort.by && { sort: sort.by }) }, streamed)
                }
              />
            </span>
          </>
        }
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["credential", "credentials"]}
          />
        }
      >
        <ChooseAll
          filters={narrowed}
          isFiltered={Boolean(q || state || template)}
          shown={query.isPlaceholderData ? undefined : query.data?.data}
          total={query.data?.total}
          choosing={choosing}
        />
        <DataTable
          label="Credentials"
          columns={columns}
          query={{ ...query, data: listed }}
          sort={sort}
          rowKey={(c) => c.id}
          href={(c) => `/credentials/${c.id}`}
          {...((can("credentials:suspend") || can("credentials:revoke")) && {
            selection: { ...choosing, nameOf: (c: Listed) => `${c.holder ?? ""} ${c.code}` },
          })}
          empty={
            q || state || template ? (
              <Empty
                icon={SearchX}
                title="No credential matches"
                action={
                  <Button variant="outline" onPress={() => narrow({ q: null, state: null, template: null })}>
                    Clear filters
                  </Button>
                }
              >
                Search by a holder's name, e-mail or your id for them, or by a whole code.
              </Empty>
            ) : (
              <Empty icon={CreditCard} title="No credentials yet" action={issue}>
                Issue the first one here, or send <code className="font-mono text-xs">POST /v1/credentials</code> from
                your system.
              </Empty>
            )
          }
        />
      </ListFrame>
      <ChosenCredentials choosing={choosing} elsewhere={countElsewhere(choosing.chosen, listed?.data, (c) => c.id)} />
      <ArchiveDialog
        isOpen={archiving}
        onOpenChange={setArchiving}
        count={query.isPlaceholderData ? undefined : query.data?.total}
        which={{ ...narrowed, ...(sort.by && { sort: sort.by }) }}
      />
      <IssueDialog isOpen={issuing} onOpenChange={setIssuing} onDone={(href) => router.push(href)} />
    </>
  );
}

/** The place of the holder's name. Screen readers read the code while the name loads. */
function NameToCome({ code }: { code: string }) {
  return (
    <>
      <span className="sr-only">{code}</span>
      <Skeleton className="inline-block h-3.5 w-28 rounded-md align-middle" />
    </>
  );
}

/** The page's credentials with the names of their holders. */
function useListed(found: { data: CredentialView[]; total?: number } | undefined) {
  const ids = useMemo(() => found?.data.map((c) => c.subjectId) ?? [], [found]);
  const nameOf = useSubjectNames(ids);
  return useMemo(
    () => found && { ...found, data: found.data.map((c) => ({ ...c, holder: nameOf(c.subjectId) })) },
    [found, nameOf],
  );
}
