/** The waits after the first, second, … failed attempt, in milliseconds. The last one repeats. */
const waitsMs = [0.5, 2, 10, 60, 4 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * 60_000);

/** The wait before the next attempt, in milliseconds. @param attempts how many attempts were made so far, from 1 */
export const retryAfterMs = (attempts: number): number => waitsMs[attempts - 1] ?? waitsMs.at(-1)!;

/** After this many milliseconds without success, the channel is marked as failed. */
export const failedAfterMs = 30 * 86_400_000;
