const hour = 3_600_000;

/** An endpoint is disabled when no success came for this long and its failures span `failuresSpanMs` at least. */
export const disabledAfterMs = 120 * hour;
export const failuresSpanMs = 12 * hour;

/**
 * People are warned when no success came for the first, and again when the second is left; of failures that span
 * `warnedSpanMs` at least.
 */
export const warnedAfterMs = 24 * hour;
export const lastWarnedBeforeMs = 24 * hour;
export const warnedSpanMs = hour;
