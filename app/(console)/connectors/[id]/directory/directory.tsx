"use client";
import { useSession } from "../../../_shell/session";
import type { Connector } from "../../words";
import { SetUp } from "./set-up";
import { Staged } from "./staged";
import { Tokens } from "./tokens";

/** What the page of a SCIM connection shows in place of files. */
export function Directory({ connector }: { connector: Connector }) {
  const { can } = useSession();
  return (
    <div className="space-y-5">
      {can("subjects:read") && <Staged connector={connector} />}
      <SetUp connector={connector} />
      <Tokens connector={connector} />
    </div>
  );
}
