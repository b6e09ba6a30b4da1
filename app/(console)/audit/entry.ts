import type { RouterOutputs } from "@/server/trpc/root";

export type AuditEntry = RouterOutputs["organisation"]["audit"]["data"][number];
