"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useSession } from "../../../_shell/session";
import { count, type Connector } from "../../words";

/** Counts what is lost when a directory is deleted. */
export function DirectoryLosses({ connector: { id } }: { connector: Connector }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const seesPeople = { enabled: can("subjects:read") };
  const staged = useQuery(trpc.connectors.staged.queryOptions({ id, limit: 1, offset: 0 }, seesPeople)).data?.total;
  const people = useQuery(trpc.connectors.directoryUsers.queryOptions({ id, limit: 1, offset: 0 }, seesPeople)).data
    ?.total;
  const groups = useQuery(trpc.connectors.directoryGroups.queryOptions({ id, limit: 1, offset: 0 }, seesPeople)).data
    ?.total;
  const tokens = useQuery(trpc.connectors.tokens.queryOptions({ id })).data?.data.length;
  return (
    <>
      <ul className="list-disc space-y-1 ps-5">
        {staged !== undefined && staged > 0 && (
          <li className="font-medium">
            {numbered(staged, ["removal that waits", "removals that wait"])} for approval {staged === 1 ? "is" : "are"}{" "}
            dropped. These people stay active and stay in their groups.
          </li>
        )}
        <li>
          {tokens === undefined
            ? "Its tokens stop"
            : tokens === 0
              ? "It has no token"
              : numbered(tokens, ["token stops", "tokens stop"])}
          {tokens === 0 ? "." : " working at once. The directory is refused and gets errors."}
        </li>
        <li>
          {people === undefined ? "Its people stay" : numbered(people, ["person stays", "people stay"])} here. The
          directory no longer changes or deactivates them. If another directory has them too, they get its values.
        </li>
        <li>
          {groups === undefined ? "Its groups stay" : numbered(groups, ["group stays", "groups stay"])} with the members
          they have. You change them here from then on.
        </li>
      </ul>
      <p>
        It cannot be undone. A directory that is connected anew takes over people by their id. It makes groups of its
        own: policies and rules that use the groups of this one go on using those, and nobody leaves them any more.
        Choose the new groups in these policies and rules.
      </p>
    </>
  );
}

const numbered = (n: number, [one, many]: [string, string]) => `${count(n)} ${n === 1 ? one : many}`;
