import type { RouterOutputs } from "@/server/trpc/root";
import { machines } from "../_data/names";

export type AuditEntry = RouterOutputs["organisation"]["audit"]["data"][number];

export const actorName = (actor: AuditEntry["actor"]) => machines[actor.type] ?? actor.name ?? actor.id;
