/** For how many days a run can be undone and its rejected rows exported (contract section 11). */
export const undoDays = 7;

export const undoUntil = (now: Date) => new Date(now.getTime() + undoDays * 86_400_000);
