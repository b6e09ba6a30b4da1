"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { LogOut, Plus, ShieldCheck, UserMinus, UserRoundCog, UsersRound } from "lucide-react";
import { useMemo, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { RowMenu } from "@/components/ui/row-menu";
import { Time } from "@/components/ui/time";
import { Initials } from "../_shell/account-menu";
import { useSession, type Session } from "../_shell/session";
import { Invitations } from "./invitations";
import { InviteDialog } from "./invite-dialog";
import { RemoveDialog, RoleDialog, type Member } from "./member-dialogs";
import { roleWords } from "./roles";

interface Asked {
  step: "role" | "remove";
  member: Member;
}

export function MemberList() {
  const trpc = useTRPC();
  const session = useSession();
  const at = usePage();
  const query = useQuery(trpc.members.list.queryOptions(at.range, { placeholderData: keepPreviousData }));
  const [inviting, setInviting] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const columns = useMemo(() => columnsWith(session, setAsked), [session]);
  const invite = session.can("members:write") && (
    <Button onPress={() => setInviting(true)}>
      <Plus aria-hidden="true" /> Invite member
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Members"
        description="People who work in this console. A role says what they may do; at least one owner always stays."
        actions={invite}
      />
      <ListFrame
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["member", "members"]}
          />
        }
      >
        <DataTable
          label="Members"
          columns={columns}
          query={query}
          rowKey={(m) => m.id}
          empty={<Empty icon={UsersRound} title="Nobody on this page" />}
        />
      </ListFrame>
      <Invitations />
      <InviteDialog isOpen={inviting} onOpenChange={setInviting} />
      {asked?.step === "role" && <RoleDialog member={asked.member} onClose={() => setAsked(null)} />}
      {asked?.step === "remove" && <RemoveDialog member={asked.member} onClose={() => setAsked(null)} />}
    </>
  );
}

const column = columnsOf<Member>();

function columnsWith({ user, can }: Session, ask: (asked: Asked) => void) {
  return column.columns([
    column.accessor("name", {
      header: "Name",
      meta: { phone: "title" },
      cell: ({ row: { original: m } }) => <Person member={m} isSelf={m.userId === user.id} />,
    }),
    column.accessor("role", {
      header: "Role",
      cell: ({ getValue }) => <span title={roleWords[getValue()].about}>{roleWords[getValue()].label}</span>,
    }),
    column.accessor("hasSecondFactor", {
      header: "Second factor",
      cell: ({ getValue }) =>
        getValue() ? (
          <span className="inline-flex items-center gap-1.5">
            <ShieldCheck className="size-4 text-success" aria-hidden="true" /> On
          </span>
        ) : (
          <span className="text-muted">Off</span>
        ),
    }),
    column.accessor("createdAt", {
      header: "Joined",
      cell: ({ getValue }) => (
        <span className="text-muted">
          <Time at={getValue()} as="date" />
        </span>
      ),
    }),
    column.display({
      id: "menu",
      header: "",
      meta: { align: "end", phone: "corner" },
      cell: ({ row: { original: m } }) => {
        const self = m.userId === user.id;
        const write = can(m.role === "owner" ? "members:owners" : "members:write");
        return (
          <RowMenu
            label={`Actions for ${m.name || m.email}`}
            actions={[
              write && {
                id: "role",
                label: "Change role",
                icon: UserRoundCog,
                onAction: () => ask({ step: "role", member: m }),
              },
              write && {
                id: "remove",
                label: self ? "Leave" : "Remove",
                icon: self ? LogOut : UserMinus,
                danger: true,
                onAction: () => ask({ step: "remove", member: m }),
              },
            ]}
          />
        );
      },
    }),
  ]);
}

function Person({ member, isSelf }: { member: Member; isSelf: boolean }) {
  return (
    <span className="flex items-center gap-3 max-sm:pe-8">
      <Initials name={member.name || member.email} />
      <span className="min-w-0">
        <span className="block truncate">
          <bdi>{member.name || member.email}</bdi>
          {isSelf && <span className="font-normal text-muted"> (you)</span>}
        </span>
        {member.name && <span className="block truncate text-xs font-normal text-muted">{member.email}</span>}
      </span>
    </span>
  );
}
