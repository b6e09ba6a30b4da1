import type { IdPrefix } from "./ids";

// The resource of an event by the family of its type. The first match counts, so longer prefixes come first.
const families = [
  ["credential.channel.", "chn"],
  ["credential.", "crd"],
  ["subject.", "sub"],
  ["template.version.", "tpv"],
  ["achievement.version.", "acv"],
  ["achievement.", "ach"],
  ["policy.", "plr"],
  ["group.", "grp"],
  ["webhook.endpoint.", "whe"],
  ["name_confirmation.", "ncf"],
] as const satisfies [string, IdPrefix][];

/** The kind of id that `resource_id` of an event of this type holds. */
export type ResourceOf<T extends string> = T extends `credential.channel.${string}`
  ? "chn"
  : {
      [F in keyof typeof families & `${number}`]: T extends `${(typeof families)[F][0]}${string}`
        ? (typeof families)[F][1]
        : never;
    }[keyof typeof families & `${number}`];

export function resourceOf(type: string): IdPrefix {
  return families.find(([family]) => type.startsWith(family))![1];
}
