"use client";
import { useActorNames } from "../../_data/names";
import type { Run } from "../words";

/** Who started or approved a run: the schedule, or the name of a person or a key. */
export function RunActor({ run: { actor, trigger, approved } }: { run: Pick<Run, "actor" | "trigger" | "approved"> }) {
  const nameOf = useActorNames(actor.type === "job" ? [] : [actor]);
  return (
    <span className="wrap-anywhere text-muted">
      {actor.type === "job" ? (
        trigger === "schedule" && !approved ? (
          "The schedule"
        ) : (
          "The service"
        )
      ) : (
        <bdi>{nameOf(actor)}</bdi>
      )}
    </span>
  );
}
