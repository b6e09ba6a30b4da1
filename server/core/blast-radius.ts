/** How long removals count (contract sections 11 and 12). */
const windowMs = 86_400_000;

/** Removals after this time count in the blast radius at `now`. */
export const windowStart = (now: Date): Date => new Date(now.getTime() - windowMs);

/**
 * Returns how many are `percent` of those who were there when the window began: those who are left plus those who were
 * removed since. Removals do not shrink the base, so many small removals cannot bypass the limit.
 */
export const shareOf = (base: { left: number; removed: number }, percent: number): number =>
  Math.floor(((base.left + base.removed) * percent) / 100);
