import type { Ctx } from "@/server/core/context";
import type { EventType } from "@/server/events/catalogue";

/** Exactly what one call of an operation leaves behind. */
export interface Step {
  /** The operation that is called. */
  operation: { operation: { name: string; kind: "command" | "query" | "person" | "visitor" } };
  case?: string;
  /** Creates what the step needs and returns the step itself. Only what the step leaves behind is compared. */
  prepare(ctx: Ctx): Promise<() => Promise<unknown>>;
  events: readonly EventType[];
  audit?: string[];
  /** Whether the command changes nothing here. */
  nothingToDo?: boolean;
}
