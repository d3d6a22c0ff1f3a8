import type { Database } from '#platform/postgres/index.ts'

/** Takes all connections of a pool except one while the work runs. Code that holds one and needs another then waits forever. */
export async function onOneConnection<T>({ pool }: Pick<Database, 'pool'>, work: () => Promise<T>): Promise<T> {
  const taken = await Promise.all(Array.from({ length: pool.options.max - 1 }, () => pool.connect()))
  try {
    return await work()
  } finally {
    for (const client of taken) client.release()
  }
}

/** The result of the work. Rejects if it takes longer than `ms`. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`not within ${ms} ms: ${what}`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
