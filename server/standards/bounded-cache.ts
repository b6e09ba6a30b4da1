interface Kept<Value> {
  value: Promise<Value>;
  until: number;
}

/**
 * Caches loaded values, limited in number and age. Concurrent calls for one key share one load. A failed load is not
 * cached.
 */
export class BoundedCache<Value> {
  /** In the order of use, the oldest first. */
  private readonly kept = new Map<string, Kept<Value>>();

  constructor(
    private readonly capacity: number,
    private readonly keptMs: number,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  get(key: string, now: Date, load: () => Promise<Value>): Promise<Value> {
    const present = this.kept.get(key);
    if (present && present.until > now.getTime()) return present.value;
    const value = load();
    const entry = { value, until: now.getTime() + this.keptMs };
    this.kept.delete(key);
    this.kept.set(key, entry);
    if (this.kept.size > this.capacity) this.kept.delete(this.kept.keys().next().value!);
    value.catch(() => {
      if (this.kept.get(key) === entry) this.kept.delete(key);
    });
    return value;
  }
}
