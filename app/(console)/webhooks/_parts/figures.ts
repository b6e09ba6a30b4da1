/** Formats a share from 0 to 1 in percent, never rounded up to 100 %. */
export function percent(rate: number): string {
  return rate === 1 ? "100 %" : `${(Math.floor(rate * 1000) / 10).toFixed(1)} %`;
}

/** Formats a duration in milliseconds: "86 ms", "1.6 s". */
export function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
