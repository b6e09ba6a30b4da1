/** How often work is started before its deadlock is reported as an error. */
const maxTries = 4;

/**
 * Repeats work that PostgreSQL ended to resolve a deadlock (40P01; P2034 from Prisma). The work must be atomic: a
 * transaction or a savepoint.
 */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || tries === maxTries) throw error;
    }
}

function isDeadlock(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "40P01" || code === "P2034";
}
