/** The wait after each failed attempt, in milliseconds; then each day. */
const waitsMs = [0.5, 2, 10, 60, 4 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * 60_000);

/** How long after a failed attempt a wallet is told again, in milliseconds. @param attempts how many began, from 1 */
export const retryAfterMs = (attempts: number): number => waitsMs[attempts - 1] ?? waitsMs.at(-1)!;

/** What arrived nowhere for so long is noted as failed, in milliseconds. */
export const failedAfterMs = 30 * 86_400_000;
