import { listSubjects } from "@/server/subjects/list";
import { eventsOf } from "@/server/testing/events";
import type { World } from "@/server/testing/world";

/** The counts of a run that did nothing. */
export const noCounts = { rows: 0, created: 0, updated: 0, unchanged: 0, deactivated: 0, rejected: 0, held: 0 };

/** The people of an organisation, by external id. */
export const peopleOf = async ({ ctx }: World, filter: object = {}) =>
  (await listSubjects(ctx, { sort: "externalId", limit: 100, ...filter })).data;

/** The types of an organisation's events, in the order of writing. */
export const eventTypesOf = async ({ orgId }: World) => (await eventsOf(orgId)).map(({ type }) => type);
