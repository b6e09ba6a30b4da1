import type { Actor, TxCtx } from "@/server/core/context";

/** The actors of the demo's story. */
export interface Cast {
  owner: Actor;
  registrar: Actor;
  /** The student information system, by its API key. */
  system: Actor;
}

export type TemplateName = "student" | "staff" | "certificate";

/** The state that the scenes of the story share, while it is played in one transaction. */
export interface Stage {
  /** Returns a context of this actor with every scope, at this time; operations take their clock from it. */
  as(actor: Actor, at: Date): TxCtx;
  cast: Cast;
  templates: Record<TemplateName, string>;
  /** Ids of the latest issued credentials, by `<externalId> <template>`. */
  credentials: Map<string, string>;
}

/** An action of the story and its time. */
export interface Scene {
  at: Date;
  play(stage: Stage, at: Date): Promise<unknown>;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Times of the story, relative to its end. */
export interface Calendar {
  now: Date;
  /** The time this many days ago at this hour and minute, UTC. */
  day(daysAgo: number, hour: number, minute?: number): Date;
  minutesAgo(minutes: number): Date;
  /** A date this many days ahead (negative: ago), in the format of attributes: 2027-09-30. */
  date(daysFromNow: number): string;
  isWeekend(daysAgo: number): boolean;
}

export function calendarOf(now: Date): Calendar {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const day = (daysAgo: number, hour: number, minute = 0) =>
    new Date(midnight - daysAgo * dayMs + (hour * 60 + minute) * minuteMs);
  return {
    now,
    day,
    minutesAgo: (minutes) => new Date(now.getTime() - minutes * minuteMs),
    date: (daysFromNow) => new Date(midnight + daysFromNow * dayMs).toISOString().slice(0, 10),
    isWeekend: (daysAgo) => [0, 6].includes(day(daysAgo, 12).getUTCDay()),
  };
}
