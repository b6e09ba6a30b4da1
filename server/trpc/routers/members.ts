import { changeRole } from "@/server/organisations/change-role";
import { inviteMember } from "@/server/organisations/invite-member";
import { listInvitations } from "@/server/organisations/list-invitations";
import { listMemberAccess } from "@/server/organisations/list-member-access";
import { listMembers } from "@/server/organisations/list-members";
import { removeMember } from "@/server/organisations/remove-member";
import { withdrawInvitation } from "@/server/organisations/withdraw-invitation";
import { fromCommand, fromQuery, router } from "../trpc";

export const membersRouter = router({
  list: fromQuery(listMembers),
  access: fromQuery(listMemberAccess),
  invitations: fromQuery(listInvitations),
  invite: fromCommand(inviteMember),
  withdrawInvitation: fromCommand(withdrawInvitation),
  changeRole: fromCommand(changeRole),
  remove: fromCommand(removeMember),
});
