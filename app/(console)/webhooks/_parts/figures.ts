/** A share of 1 in percent, never rounded up to 100 %. */
export function percent(rate: number): string {
  return rate === 1 ? "100 %" : `${(Math.floor(rate * 1000) / 10).toFixed(1)} %`;
}

/** A duration in milliseconds as people read it: "86 ms", "1.6 s". */
export function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
