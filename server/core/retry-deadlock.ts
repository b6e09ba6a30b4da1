/**
 * Does work again, once, if PostgreSQL ended it to resolve a deadlock (40P01). The work has to be all or nothing: a
 * transaction or a savepoint.
 */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "40P01") throw error;
    return work();
  }
}
