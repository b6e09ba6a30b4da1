"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Mail, SearchX } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { Narrowed } from "@/components/ui/narrowed";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SearchBox } from "@/components/ui/search-box";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { messageKinds, messageStates } from "@/server/message-texts/kinds";
import { useSubjectNames, useTemplateOptions } from "../_data/names";
import { useSession } from "../_shell/session";
import { TemplateName } from "../templates/template-name";
import { MessagePanel } from "./message-panel";
import { MessageTabs } from "./message-tabs";
import { kindWords, pollEvery, stateWords, type Listed, type Message } from "./words";

const column = columnsOf<Listed>();
const columns = column.columns([
  column.accessor("holder", {
    header: "To",
    meta: { phone: "title" },
    cell: ({ row: { original: m } }) => (
      <span className="block min-w-0">
        <bdi>{m.holder ?? "…"}</bdi>
        <span className="block text-xs font-normal break-all text-muted">
          <bdi>{m.to ?? "No address"}</bdi>
        </span>
      </span>
    ),
  }),
  column.accessor("kind", { header: "Message", cell: ({ getValue }) => kindWords[getValue()] }),
  column.accessor("templateId", {
    header: "Template",
    meta: { wide: true, phone: "hide" },
    cell: ({ getValue }) => <TemplateName id={getValue()} />,
  }),
  column.accessor("state", { header: "State", cell: ({ getValue }) => <Status {...stateWords[getValue()]} /> }),
  column.accessor("createdAt", {
    header: "When",
    meta: { align: "end" },
    cell: ({ row: { original: m } }) => (
      <span className="text-muted">
        <Time at={m.sentAt ?? m.createdAt} />
      </span>
    ),
  }),
]);

const filters = {
  q: parseAsString,
  state: parseAsStringLiteral(messageStates),
  kind: parseAsStringLiteral(messageKinds),
  template: parseAsString,
  person: parseAsString,
  credential: parseAsString,
  message: parseAsString,
};
const none = { q: null, state: null, kind: null, template: null, person: null, credential: null };

/** The outbox: every e-mail to a holder, with its state. */
export function MessageList() {
  const trpc = useTRPC();
  const { can } = useSession();
  const [{ message, ...narrowed }, setFilters] = useQueryStates(filters);
  const { q, state, kind, template, person, credential } = narrowed;
  const at = usePage();
  const narrow = (next: Partial<typeof narrowed>) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const templateOptions = useTemplateOptions(template);
  const query = useQuery(
    trpc.messages.list.queryOptions(
      {
        ...at.range,
        ...(q && { q }),
        ...(state && { state }),
        ...(kind && { kind }),
        ...(template && { templateId: template }),
        ...(person && { subjectId: person }),
        ...(credential && { credentialId: credential }),
      },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state: { data } }) => pollEvery(data?.data ?? []),
      },
    ),
  );
  const { data: defaults } = useQuery(
    trpc.messages.defaults.queryOptions({}, { enabled: can("templates:read"), staleTime: 60_000 }),
  );
  const listed = useListed(query.data);
  const isNarrowed = Object.values(narrowed).some(Boolean);
  return (
    <>
      <PageHeader
        title="Messages"
        description="E-mails to the holders of credentials: waiting, sent, and not delivered. They stay here for 90 days."
      />
      <MessageTabs />
      {defaults && !defaults.hasMailServer && (
        <Notice tone="warning" title="No mail server is configured" className="mb-4">
          No message leaves this service. Each waits for seven days and is sent if the operator configures a mail server
          by then; after that it counts as not sent, and stays in this list for 90 days. Meanwhile open a message and
          copy its link for the holder.
        </Notice>
      )}
      <ListFrame
        filters={
          <>
            <SearchBox
              label="Search messages"
              placeholder="Person or address"
              value={q ?? ""}
              onChange={(next) => narrow({ q: next || null })}
              className="w-full sm:w-56"
            />
            <Filter
              label="State"
              any="Any state"
              value={state}
              onChange={(next) => narrow({ state: next })}
              options={messageStates.map((value) => ({ value, label: stateWords[value].label }))}
              className="w-34"
            />
            <Filter
              label="Message"
              any="Any message"
              value={kind}
              onChange={(next) => narrow({ kind: next })}
              options={messageKinds.map((value) => ({ value, label: kindWords[value] }))}
              className="w-48"
            />
            <Filter
              label="Template"
              any="Any template"
              value={template}
              onChange={(next) => narrow({ template: next })}
              options={templateOptions}
              className="w-44"
            />
            {person && <Narrowed label="Person" value={person} onClear={() => narrow({ person: null })} />}
            {credential && (
              <Narrowed label="Credential" value={credential} onClear={() => narrow({ credential: null })} />
            )}
          </>
        }
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["message", "messages"]}
          />
        }
      >
        <DataTable
          label="Messages"
          columns={columns}
          query={{ ...query, data: listed }}
          rowKey={(m) => m.id}
          onOpen={(m) => void setFilters({ message: m.id })}
          empty={
            isNarrowed ? (
              <Empty
                icon={SearchX}
                title="No message matches"
                action={
                  <Button variant="outline" onPress={() => narrow(none)}>
                    Clear filters
                  </Button>
                }
              >
                Messages that are no longer waiting are removed 90 days after they were queued.
              </Empty>
            ) : (
              <Empty icon={Mail} title="No messages yet">
                Choose under Templates which messages holders get automatically, or send a credential by e-mail from its
                page.
              </Empty>
            )
          }
        />
      </ListFrame>
      <MessagePanel
        id={message}
        listed={query.data?.data.find(({ id }) => id === message)}
        onClose={() => void setFilters({ message: null })}
      />
    </>
  );
}

/** The page's messages with the names of their recipients. */
function useListed(found: { data: Message[]; total?: number } | undefined) {
  const ids = useMemo(() => found?.data.map((m) => m.subjectId) ?? [], [found]);
  const nameOf = useSubjectNames(ids);
  return useMemo(
    () => found && { ...found, data: found.data.map((m) => ({ ...m, holder: nameOf(m.subjectId) })) },
    [found, nameOf],
  );
}
