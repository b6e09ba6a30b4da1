"use client";
import { Notice } from "@/components/ui/notice";
import { useSession } from "../../../_shell/session";
import type { Connector } from "../../words";
import { SetUp } from "./set-up";
import { Staged } from "./staged";
import { Tokens } from "./tokens";

/** The overview page of a SCIM connection, which has no files. */
export function Directory({ connector }: { connector: Connector }) {
  const { can } = useSession();
  return (
    <div className="space-y-5">
      {connector.isDefault && (
        <Notice>
          API keys and OAuth clients with the scope scim use this connection, unless they belong to another one. It sees
          and may change everybody, also people whom another source added.
        </Notice>
      )}
      {can("subjects:read") && <Staged connector={connector} />}
      <Tokens connector={connector} />
      <SetUp connector={connector} />
    </div>
  );
}
