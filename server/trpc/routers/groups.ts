import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { deleteGroup } from "@/server/groups/delete";
import { getGroup } from "@/server/groups/get";
import { listGroups } from "@/server/groups/list";
import { listGroupMembers } from "@/server/groups/list-members";
import { listStagedMembers } from "@/server/groups/list-staged-members";
import { groupNames } from "@/server/groups/names";
import { listGroupsOfSubject } from "@/server/groups/list-of-subject";
import { previewGroup } from "@/server/groups/preview";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { updateGroup } from "@/server/groups/update";
import { fromCommand, fromQuery, fromTagged, fromTaggedCommand, router } from "../trpc";

export const groupsRouter = router({
  list: fromQuery(listGroups),
  get: fromTagged(getGroup),
  create: fromTaggedCommand(createGroup),
  update: fromTaggedCommand(updateGroup),
  delete: fromCommand(deleteGroup),
  members: fromQuery(listGroupMembers),
  stagedMembers: fromQuery(listStagedMembers),
  addMembers: fromCommand(addGroupMembers),
  removeMembers: fromCommand(removeGroupMembers),
  names: fromQuery(groupNames),
  ofSubject: fromQuery(listGroupsOfSubject),
  preview: fromQuery(previewGroup),
});
