import type { Ctx } from "@/server/core/context";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { deleteGroup } from "@/server/groups/delete";
import { getGroup } from "@/server/groups/get";
import { listGroups } from "@/server/groups/list";
import { listGroupMembers } from "@/server/groups/list-members";
import { groupNames } from "@/server/groups/names";
import { listGroupsOfSubject } from "@/server/groups/list-of-subject";
import { previewGroup } from "@/server/groups/preview";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { updateGroup } from "@/server/groups/update";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { upsertSubject } from "@/server/subjects/upsert";
import type { Step } from "./step";

const active = { field: "status", op: "eq", value: "active" };
const inactive = { ...active, value: "inactive" };

async function withMember(ctx: Ctx) {
  const { subject } = await upsertSubject(ctx, { externalId: "s" });
  const group = await createGroup(ctx, { name: "Class" });
  await addGroupMembers(ctx, { id: group.id, subjectIds: [subject.id] });
  return { id: group.id, subjectId: subject.id };
}

async function ofRule(ctx: Ctx) {
  await upsertSubject(ctx, { externalId: "s" });
  return createGroup(ctx, { name: "Active people", rule: active });
}

export const groupSteps: Step[] = [
  {
    operation: createGroup,
    prepare: async (ctx) => () => createGroup(ctx, { name: "Class" }),
    events: ["group.created"],
  },
  {
    operation: createGroup,
    case: "with a rule that means somebody",
    prepare: async (ctx) => {
      await upsertSubject(ctx, { externalId: "s" });
      return () => createGroup(ctx, { name: "Active people", rule: active });
    },
    events: ["group.created", "group.members_added"],
  },
  {
    operation: updateGroup,
    prepare: async (ctx) => {
      const { id } = await withMember(ctx);
      return () => updateGroup(ctx, { id, name: "Other" });
    },
    events: ["group.updated"],
  },
  {
    operation: updateGroup,
    case: "with a rule that means others",
    prepare: async (ctx) => {
      const { id } = await ofRule(ctx);
      await upsertSubject(ctx, { externalId: "gone", status: "inactive" });
      return () => updateGroup(ctx, { id, rule: inactive });
    },
    events: ["group.updated", "group.members_removed", "group.members_added"],
  },
  {
    operation: updateGroup,
    case: "without a change",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await ofRule(ctx);
      return () => updateGroup(ctx, { id, name: "Active people", rule: active });
    },
    events: [],
  },
  {
    operation: addGroupMembers,
    prepare: async (ctx) => {
      const { id } = await withMember(ctx);
      await upsertSubject(ctx, { externalId: "other" });
      return () => addGroupMembers(ctx, { id, externalIds: ["s", "other", "nobody"] });
    },
    events: ["group.members_added"],
  },
  {
    operation: addGroupMembers,
    case: "who are members",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id, subjectId } = await withMember(ctx);
      return () => addGroupMembers(ctx, { id, subjectIds: [subjectId] });
    },
    events: [],
  },
  {
    operation: removeGroupMembers,
    prepare: async (ctx) => {
      const { id, subjectId } = await withMember(ctx);
      return () => removeGroupMembers(ctx, { id, subjectIds: [subjectId] });
    },
    events: ["group.members_removed"],
  },
  {
    operation: removeGroupMembers,
    case: "who are none",
    nothingToDo: true,
    prepare: async (ctx) => {
      const { id } = await withMember(ctx);
      await upsertSubject(ctx, { externalId: "other" });
      return () => removeGroupMembers(ctx, { id, externalIds: ["other"] });
    },
    events: [],
  },
  {
    operation: deleteGroup,
    prepare: async (ctx) => {
      const { id } = await withMember(ctx);
      return () => deleteGroup(ctx, { id });
    },
    events: ["group.deleted"],
  },
  {
    operation: eraseSubject,
    case: "who is in groups",
    prepare: async (ctx) => {
      const { subjectId } = await withMember(ctx);
      await createGroup(ctx, { name: "Active people", rule: active });
      return () => eraseSubject(ctx, { id: subjectId, reason: "r" });
    },
    events: ["subject.updated", "subject.deactivated", "group.members_removed", "group.members_removed"],
    audit: ["subject.erased"],
  },
  {
    operation: getGroup,
    prepare: async (ctx) => {
      const { id } = await withMember(ctx);
      return () => getGroup(ctx, { id });
    },
    events: [],
  },
  { operation: listGroups, prepare: async (ctx) => () => listGroups(ctx, {}), events: [] },
  {
    operation: listGroupMembers,
    prepare: async (ctx) => {
      const { id } = await withMember(ctx);
      return () => listGroupMembers(ctx, { id });
    },
    events: [],
  },
  {
    operation: listGroupsOfSubject,
    prepare: async (ctx) => {
      const { subjectId } = await withMember(ctx);
      return () => listGroupsOfSubject(ctx, { id: subjectId });
    },
    events: [],
  },
  {
    operation: groupNames,
    prepare: async (ctx) => {
      const { id } = await withMember(ctx);
      return () => groupNames(ctx, { ids: [id] });
    },
    events: [],
  },
  { operation: previewGroup, prepare: async (ctx) => () => previewGroup(ctx, { rule: active }), events: [] },
];
