/** A share of 1 in percent, never rounded up to 100 %. */
export function percent(rate: number): string {
  return rate === 1 ? "100 %" : `${(Math.floor(rate * 1000) / 10).toFixed(1)} %`;
}
