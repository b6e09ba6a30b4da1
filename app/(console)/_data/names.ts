"use client";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "@/components/trpc/client";
import { useRegion } from "@/components/ui/region";
import { formatDay, type Region } from "@/server/core/dates";
import type { TemplateKind } from "@/server/templates/view";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";
import { consoleHref } from "./places";

const minute = 60_000;

/** The organisation's templates, as many as fit in a menu. */
export function useTemplates() {
  const trpc = useTRPC();
  return useQuery(trpc.templates.list.queryOptions({ limit: 100 }, { staleTime: minute }));
}

/** Templates to choose from. Includes the chosen template even if the menu has no room for it. */
export function useTemplateOptions(chosen: string | null): { value: string; label: string }[] {
  const trpc = useTRPC();
  const { data, isSuccess } = useTemplates();
  const options = data?.data.map((template) => ({ value: template.id, label: template.name })) ?? [];
  const missing = isSuccess && chosen !== null && !options.some((option) => option.value === chosen);
  const one = useQuery(trpc.templates.get.queryOptions({ id: chosen ?? "" }, { enabled: missing, staleTime: minute }));
  return missing ? [{ value: chosen, label: one.data?.name ?? chosen }, ...options] : options;
}

/** Achievements that credentials can state. Includes the chosen achievement whatever its status. */
export function useAchievementOptions(chosen: string | null): { value: string; label: string }[] {
  const trpc = useTRPC();
  const { data, isSuccess } = useQuery(
    trpc.achievements.list.queryOptions({ limit: 100, status: "published", sort: "name" }, { staleTime: minute }),
  );
  const options = data?.data.map((each) => ({ value: each.id, label: each.name })) ?? [];
  const missing = isSuccess && chosen !== null && !options.some((option) => option.value === chosen);
  const one = useQuery(
    trpc.achievements.get.queryOptions({ id: chosen ?? "" }, { enabled: missing, staleTime: minute }),
  );
  return missing ? [{ value: chosen, label: one.data?.name ?? chosen }, ...options] : options;
}

/**
 * Returns a template's name as its credentials show it: the achievement's name if they state one, else the template's.
 * A sample shows the template's name if the reader may not see achievements, and while the achievement is loading.
 */
export function useAwardTitle(templateName: string, achievementId: string | null | undefined): string {
  const trpc = useTRPC();
  const { can } = useSession();
  const enabled = Boolean(achievementId) && can("achievements:read");
  const { data } = useQuery(
    trpc.achievements.get.queryOptions({ id: achievementId ?? "" }, { enabled, staleTime: minute }),
  );
  return (enabled && data?.name) || templateName;
}

/** A template's name, status and kind; undefined while they load. */
export function useTemplate(
  id: string,
): { name: string; status: "draft" | "published" | "archived" | null; kind: TemplateKind | null } | undefined {
  const trpc = useTRPC();
  const { data, isSuccess } = useTemplates();
  const known = data?.data.find((template) => template.id === id);
  const one = useQuery(trpc.templates.get.queryOptions({ id }, { enabled: isSuccess && !known, staleTime: minute }));
  return known ?? one.data ?? (one.isError ? { name: id, status: null, kind: null } : undefined);
}

/** A template's name; undefined while it loads. */
export const useTemplateName = (id: string): string | undefined => useTemplate(id)?.name;

export interface PersonName {
  /** The name; the external id of a person without a name. */
  name: string;
  /** Null if nothing is known besides the name: the external id is shown as the name, or the person was erased. */
  externalId: string | null;
}

/** Returns what to call a person who may have no name. */
export function nameOfPerson({
  displayName,
  externalId,
  isErased = false,
}: {
  displayName: string;
  externalId: string;
  isErased?: boolean;
}): PersonName {
  if (isErased) return { name: "Erased person", externalId: null };
  return displayName ? { name: displayName, externalId } : { name: externalId, externalId: null };
}

const namesAtOnce = 100;

/**
 * Looks up any number of people, so that a list can tell people of the same name apart. Undefined while loading. A
 * person who is not found has the id as the name.
 */
export function usePeople(ids: readonly string[]): (id: string) => PersonName | undefined {
  const trpc = useTRPC();
  const wanted = useMemo(() => [...new Set(ids)].sort(), [ids]);
  const parts = Array.from({ length: Math.ceil(wanted.length / namesAtOnce) }, (_, i) =>
    wanted.slice(i * namesAtOnce, (i + 1) * namesAtOnce),
  );
  const results = useQueries({
    queries: parts.map((part) => trpc.subjects.names.queryOptions({ ids: part }, { staleTime: minute })),
  });
  const known = new Map<string, PersonName>(
    results.flatMap(({ data }) => data ?? []).map((each) => [each.id, nameOfPerson(each)]),
  );
  const isComplete = results.every(({ isPending }) => !isPending);
  return (id) => known.get(id) ?? (isComplete ? { name: id, externalId: null } : undefined);
}

/** Looks up the names of all subjects on a page in one request. A name is undefined while it loads. */
export function useSubjectNames(ids: readonly string[]): (id: string) => string | undefined {
  const trpc = useTRPC();
  const wanted = useMemo(() => [...new Set(ids)].sort(), [ids]);
  const { data, isPlaceholderData } = useQuery(
    trpc.subjects.names.queryOptions(
      { ids: wanted },
      { enabled: wanted.length > 0, placeholderData: keepPreviousData, staleTime: minute },
    ),
  );
  return useMemo(() => {
    const names = new Map<string, string>(data?.map((s) => [s.id, nameOfPerson(s).name]));
    return (id) => names.get(id) ?? (data && !isPlaceholderData ? id : undefined);
  }, [data, isPlaceholderData]);
}

/** Names for the actors that are neither people nor their keys. */
export const machines: Record<string, string> = { job: "The service", operator: "The operator", public: "A visitor" };

interface NamedActor {
  name: string;
  /** The page of the policy, connector or run that acted. Undefined for other actors, and if that was deleted. */
  href?: string | undefined;
}

/**
 * Looks up the actors on a page: their names, and the pages of policies, connectors and their runs. A name is an ellipsis
 * while it loads.
 */
export function useActors(
  actors: readonly { type: string; id: string }[],
): (actor: { type: string; id: string }) => NamedActor {
  const trpc = useTRPC();
  const region = useRegion();
  const wanted = useMemo(
    () => [...new Set(actors.filter((a) => !machines[a.type] || isNamedJob(a)).map((a) => a.id))].sort(),
    [actors],
  );
  const { data, isPlaceholderData, isError } = useQuery(
    trpc.access.actorNames.queryOptions(
      { ids: wanted },
      { enabled: wanted.length > 0, placeholderData: keepPreviousData, staleTime: minute },
    ),
  );
  return useMemo(() => {
    const found = new Map(data?.map((each) => [each.id, inWords(each, region)]));
    const known = isError || (data && !isPlaceholderData);
    return ({ type, id }) => found.get(id) ?? { name: machines[type] ?? (known ? id : "…") };
  }, [data, isPlaceholderData, isError, region]);
}

const isNamedJob = ({ type, id }: { type: string; id: string }) => type === "job" && /^(pol|plr|con|run)_/.test(id);

function inWords(
  { id, name, policyId, connectorId, askedAt, isDeleted }: RouterOutputs["access"]["actorNames"][number],
  region: Region,
): NamedActor {
  const owner = policyId ?? connectorId;
  if (!owner) return { name };
  const kind = policyId ? "Policy" : askedAt ? "Run of" : "Connector";
  const day = connectorId && askedAt ? `, ${formatDay(new Date(askedAt), region)}` : "";
  if (isDeleted) return { name: `${kind} ${name}${day} (deleted)` };
  return { name: `${kind} ${name}${day}`, href: consoleHref(id, { policyId, connectorId }) };
}

/** Looks up the names of the actors on a page. A name is an ellipsis while it loads. */
export function useActorNames(
  actors: readonly { type: string; id: string }[],
): (actor: { type: string; id: string }) => string {
  const actorOf = useActors(actors);
  return useMemo(() => (actor) => actorOf(actor).name, [actorOf]);
}

/**
 * Looks up the names of groups, connectors, endpoints and credentials on a page. A credential is named by its holder.
 * Undefined while loading, and for an id that was not found.
 */
export function useThingNames(ids: readonly string[]): (id: string) => string | undefined {
  const trpc = useTRPC();
  const wanted = useMemo(() => [...new Set(ids)].sort(), [ids]);
  const { data } = useQuery(
    trpc.access.thingNames.queryOptions({ ids: wanted }, { enabled: wanted.length > 0, staleTime: minute }),
  );
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]));
    return (id) => names.get(id);
  }, [data]);
}

const isGroupId = (id: string): id is `grp_${string}` => /^grp_[0-9a-z]{26}$/.test(id);

/**
 * Looks up the names of groups. Null for a group that was deleted. Undefined while loading, and if the reader may not
 * see groups.
 */
export function useGroupNames(ids: readonly string[]): (id: string) => string | null | undefined {
  const trpc = useTRPC();
  const { can } = useSession();
  const wanted = useMemo(() => [...new Set(ids.filter(isGroupId))].sort(), [ids]);
  const { data } = useQuery(
    trpc.groups.names.queryOptions(
      { ids: wanted },
      { enabled: wanted.length > 0 && can("groups:read"), placeholderData: keepPreviousData, staleTime: minute },
    ),
  );
  return useMemo(() => {
    const names = data && new Map<string, string>(data.map(({ id, name }) => [id, name]));
    return (id) => names && (names.get(id) ?? null);
  }, [data]);
}

/**
 * Returns the name of the record with this id, for a filter that was given only the id. The id can be that of a person,
 * a credential (named by its code), a template, an achievement, an endpoint, a group, a connector, a policy, a run, a
 * member, an API key or an OAuth client. Undefined while loading, if the reader may not see the record, and if no record
 * has this id.
 */
export function useThingName(id: string | null): string | undefined {
  const trpc = useTRPC();
  const asked = id ?? "";
  const where = (...prefixes: string[]) => ({
    enabled: prefixes.includes(asked.slice(0, 4)),
    staleTime: minute,
  });
  const person = useQuery(trpc.subjects.names.queryOptions({ ids: [asked] }, where("sub_")));
  const credential = useQuery(trpc.credentials.get.queryOptions({ id: asked }, where("crd_")));
  const template = useQuery(trpc.templates.get.queryOptions({ id: asked }, where("tpl_")));
  const achievement = useQuery(trpc.achievements.get.queryOptions({ id: asked }, where("ach_")));
  const endpoint = useQuery(trpc.webhooks.endpoints.get.queryOptions({ id: asked }, where("whe_")));
  const thing = useQuery(trpc.access.thingNames.queryOptions({ ids: [asked] }, where("grp_", "con_")));
  const isActor = /^(usr|key|ocl|pol|plr|run)_/.test(asked);
  const actor = useActorNames(useMemo(() => (isActor ? [{ type: asked, id: asked }] : []), [isActor, asked]));
  const found = person.data?.[0];
  const told = isActor ? actor({ type: asked, id: asked }) : undefined;
  const actorNamed = told === "…" || told === asked ? undefined : told;
  return (
    (found && nameOfPerson(found).name) ??
    credential.data?.code ??
    template.data?.name ??
    achievement.data?.name ??
    (endpoint.data && (endpoint.data.description || endpoint.data.url)) ??
    thing.data?.[0]?.name ??
    actorNamed
  );
}
