"use client";
import { Button, Skeleton } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { LayoutTemplate, Plus, SearchX } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { Filter } from "@/components/ui/filter";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SearchBox } from "@/components/ui/search-box";
import { Status } from "@/components/ui/status";
import { versionStatuses, type VersionStatus } from "@/server/templates/states";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";
import { useRegion } from "@/components/ui/region";
import { SampleCard } from "./editor/sample-card";
import { kindNames } from "./kinds";
import { validityWords } from "./validity-words";

const statusOptions = [
  { value: "published", label: "Published" },
  { value: "draft", label: "Draft" },
  { value: "archived", label: "Archived" },
] as const;
const filters = { q: parseAsString.withDefault(""), status: parseAsStringLiteral(versionStatuses) };

export function TemplateGallery() {
  const trpc = useTRPC();
  const { can } = useSession();
  const [{ q, status }, setFilters] = useQueryStates(filters);
  const at = usePage(12);
  const narrow = (next: { q?: string | null; status?: VersionStatus | null }) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const query = useQuery(
    trpc.templates.list.queryOptions(
      { ...at.range, ...(q && { q }), ...(status && { status }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const create = can("templates:write") && (
    <ButtonLink href="/templates/new">
      <Plus aria-hidden="true" /> New template
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Templates"
        description="How credentials look, what of them is public, and how long they are valid. Published versions never change; new ones take their place."
        actions={create}
      />
      <div className="mb-5 flex flex-wrap gap-2">
        <SearchBox
          label="Search templates"
          placeholder="Name"
          value={q}
          onChange={(next) => narrow({ q: next || null })}
          className="w-full sm:w-64"
        />
        <Filter
          label="Status"
          any="Any status"
          value={status}
          onChange={(next) => narrow({ status: next })}
          options={statusOptions}
          className="w-36"
        />
      </div>
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ul
          className={`grid grid-cols-1 gap-x-5 gap-y-7 sm:grid-cols-2 xl:grid-cols-3 ${query.isPlaceholderData ? "opacity-60" : ""}`}
        >
          {!query.data &&
            Array.from({ length: 3 }, (_, i) => (
              <li key={i}>
                <Skeleton className="aspect-[1.586] rounded-2xl" />
                <Skeleton className="mt-4 h-4 w-40 rounded-md" />
              </li>
            ))}
          {query.data?.data.map((template) => (
            <li key={template.id}>
              <Entry template={template} />
            </li>
          ))}
        </ul>
      )}
      {query.data?.data.length === 0 && !query.data.total && (
        <div className="rounded-xl border bg-surface">
          {q || status ? (
            <Empty
              icon={SearchX}
              title="No template matches"
              action={
                <Button variant="outline" onPress={() => narrow({ q: null, status: null })}>
                  Clear filters
                </Button>
              }
            />
          ) : (
            <Empty icon={LayoutTemplate} title="No templates yet" action={create}>
              Every credential is made from one. Begin with the colours, the logo and the fields of your card.
            </Empty>
          )}
        </div>
      )}
      <div className={query.data && (query.data.total ?? 0) > at.size ? "mt-6" : "hidden"}>
        <Pager
          at={at}
          total={query.data?.total}
          isPlaceholder={query.isPlaceholderData}
          noun={["template", "templates"]}
        />
      </div>
    </>
  );
}

function Entry({ template }: { template: RouterOutputs["templates"]["list"]["data"][number] }) {
  const region = useRegion();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.templates.get.queryOptions({ id: template.id }, { staleTime: 60_000 }));
  return (
    <article className="group relative">
      <div className="grid aspect-[1.5] place-items-center rounded-2xl border bg-surface-secondary p-5 transition-colors group-hover:bg-surface-tertiary">
        {data ? (
          <SampleCard
            kind={template.kind}
            title={template.name}
            {...data.version}
            className={template.kind === "academic" ? "max-w-[88%]" : ""}
          />
        ) : (
          <Skeleton className="aspect-[1.586] w-full rounded-xl" />
        )}
      </div>
      <div className="mt-3 flex items-start justify-between gap-3 px-1">
        <div className="min-w-0">
          <h2 className="truncate text-sm font-semibold">
            <Link
              href={`/templates/${template.id}`}
              className="outline-none after:absolute after:inset-0 after:rounded-2xl focus-visible:after:ring-2 focus-visible:after:ring-focus"
            >
              {template.name}
            </Link>
          </h2>
          <p className="truncate text-[0.8125rem] text-muted">
            {kindNames[template.kind]}
            {data && ` · ${validityWords(data.version.validity, region)}`}
          </p>
        </div>
        <Status of={template.status} />
      </div>
    </article>
  );
}
