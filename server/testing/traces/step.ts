import type { Ctx } from "@/server/core/context";
import type { EventType } from "@/server/events/catalogue";

/** What one call of an operation leaves behind, and nothing more. */
export interface Step {
  /** Whose trace this is. */
  operation: { operation: { name: string; kind: "command" | "query" } };
  case?: string;
  /** Sets the scene and returns the step itself; what it leaves is compared. */
  prepare(ctx: Ctx): Promise<() => Promise<unknown>>;
  events: readonly EventType[];
  audit?: string[];
  /** A command that finds nothing to change here. */
  nothingToDo?: boolean;
}
