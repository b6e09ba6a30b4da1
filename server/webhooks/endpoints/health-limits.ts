const hour = 3_600_000;

/** An endpoint is disabled after this long without a success, if its failures span at least `failuresSpanMs`. */
export const disabledAfterMs = 120 * hour;
export const failuresSpanMs = 12 * hour;

/**
 * Warn people after `warnedAfterMs` without a success, and again `lastWarnedBeforeMs` before the endpoint is disabled,
 * if its failures span at least `warnedSpanMs`.
 */
export const warnedAfterMs = 24 * hour;
export const lastWarnedBeforeMs = 24 * hour;
export const warnedSpanMs = hour;
