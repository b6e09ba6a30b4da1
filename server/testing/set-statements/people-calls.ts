import { exportCredentials } from "@/server/credentials/export";
import { countCredentials } from "@/server/credentials/counts";
import { credentialDays } from "@/server/credentials/daily";
import { foldCredentialCounts } from "@/server/credentials/fold-counts";
import { listCredentials } from "@/server/credentials/list";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { deleteGroup } from "@/server/groups/delete";
import { foldGroupCounts } from "@/server/groups/fold-counts";
import { listGroupMembers } from "@/server/groups/list-members";
import { listGroupsOfSubject } from "@/server/groups/list-of-subject";
import { previewGroup } from "@/server/groups/preview";
import { reconcileGroupCounts } from "@/server/groups/reconcile-counts";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { updateGroup } from "@/server/groups/update";
import { emptyFiles, importAll, uploadedArchive } from "@/server/photos/testing/archive";
import { listSubjects } from "@/server/subjects/list";
import { applyClockToDueCredentials } from "@/server/credentials/sweep";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { photoOf } from "../photo";
import { type Given, type Call } from "./given";

/** Groups, people and counters. */
export function peopleCalls(given: Given): Call[] {
  const { ctx, at, groups, span, n, everybody, rule, window, numbers, ids, many, written } = given;
  return [
    {
      name: "add members",
      given: n,
      run: () =>
        addGroupMembers(ctx, {
          id: groups.empty,
          subjectIds: ids("sub"),
          externalIds: written.slice(0, 1).map(({ externalId }) => externalId),
        }),
    },
    {
      name: "add members by external id",
      given: n,
      run: () => addGroupMembers(ctx, { id: groups.empty, externalIds: numbers().map((each) => `x-${each}`) }),
    },
    {
      name: "remove members",
      given: n,
      run: () => removeGroupMembers(ctx, { id: everybody, subjectIds: ids("sub") }),
    },
    {
      name: "evaluate a rule",
      given: window,
      run: () => updateGroup(ctx, { id: groups.ruled, rule: rule(numbers().map((each) => `x-${each}`)) }),
    },
    {
      name: "evaluate a rule that nobody matches any more",
      given: window,
      run: () => updateGroup(ctx, { id: groups.ruled, rule: rule([`none-${given.next}`]) }),
    },
    {
      name: "count who matches a rule",
      given: span.to - span.from,
      run: () => previewGroup(ctx, { rule: { all: [rule(["none"]), { field: "groups", op: "exists" }] } }),
    },
    { name: "members of a group", given: 100, run: () => listGroupMembers(ctx, { id: everybody, limit: 100 }) },
    { name: "groups of a person", given: 10, run: () => listGroupsOfSubject(ctx, { id: ids("sub", 1)[0]! }) },
    {
      name: "people by their external ids",
      given: 100,
      run: () =>
        listSubjects(ctx, {
          externalId: numbers(Math.min(n, 100))
            .map((each) => `x-${each}`)
            .join(","),
          limit: 100,
        }),
    },
    { name: "people in a group", given: 100, run: () => listSubjects(ctx, { groupId: everybody, limit: 100 }) },
    {
      name: "delete a group",
      given: 10,
      run: async () => deleteGroup(ctx, { id: (await createGroup(ctx, { name: "Empty" })).id }),
    },
    { name: "correct the counters of groups", given: span.to - span.from, run: () => reconcileGroupCounts() },
    { name: "fold the counters of groups", given: 10, run: () => foldGroupCounts() },
    { name: "fold the counters", given: 2 * many, run: () => foldCredentialCounts() },
    // It reads the thousand rows that are due and none of the others.
    { name: "count credentials", given: 100, run: () => countCredentials(ctx, {}) },
    { name: "count by day", given: 10, run: () => credentialDays(ctx, {}) },
    { name: "list of credentials", given: 50, run: () => listCredentials(ctx, { kind: "membership", limit: 50 }) },
    {
      name: "a page of an export of credentials",
      given: 250,
      run: () => exportCredentials(ctx, { kind: "membership" }),
    },
    { name: "photo", given: 6, run: () => photoOf(ctx, ids("sub", 1)[0]!) },
    {
      name: "an archive of photos, none of which can be read",
      given: 20,
      each: 60,
      run: async () => {
        await uploadedArchive(ctx, emptyFiles(numbers(20).map((each) => `x-${each}.jpg`)));
        await importAll();
      },
    },
    {
      name: "search beyond ASCII, which looks at names",
      given: span.to - span.from,
      run: () => listSubjects(ctx, { q: "Zürich", limit: 50 }),
    },
    { name: "start and expire", given: 5 * many, run: () => applyClockToDueCredentials(at, 5 * many) },
    { name: "upsert", given: n, run: () => bulkUpsertSubjects(ctx, { items: written }) },
    { name: "upsert without a change", given: n, run: () => bulkUpsertSubjects(ctx, { items: written }) },
    // It reads the events that wait for a number: a few thousand, written by the earlier calls.
    { name: "erase", given: 2 * n, each: 17, run: () => eraseSubject(ctx, { id: ids("sub", 1)[0]!, reason: "r" }) },
  ];
}
