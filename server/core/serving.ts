const holder = globalThis as { bonafideServing?: boolean };

/** Whether this process takes requests: false from the moment on at which it was told to stop. Kept on globalThis since Next and the server bundle their modules apart. */
export function isServing(): boolean {
  return holder.bonafideServing ?? true;
}

export function setServing(serving: boolean): void {
  holder.bonafideServing = serving;
}
