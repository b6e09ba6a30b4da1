/** How often work is begun before its deadlock is an error. */
const maxTries = 4;

/**
 * Does work again if PostgreSQL ended it to resolve a deadlock (40P01; P2034 from Prisma). The work has to be all or
 * nothing: a transaction or a savepoint.
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
