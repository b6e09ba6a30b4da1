/** Days for which a run can be taken back, and its rejected rows be had (contract section 11). */
export const undoDays = 7;

export const undoUntil = (now: Date) => new Date(now.getTime() + undoDays * 86_400_000);
