/** Methods of the ports that are over when they return: nothing is waited for. */
const syncMethods = new Set(['registryOf', 'parseWebhook'])

/** Makes a call of a port's method, or does not. */
type Around = (name: string, args: readonly unknown[], call: () => Promise<unknown>) => Promise<unknown>

/** The same object, whose methods `around` calls; those of its members and of what it finds, too. */
export function aroundCalls<T extends object>(port: T, around: Around): T {
  const inside = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? aroundCalls(value, around) : value
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return inside(member)
      if (syncMethods.has(String(name))) return (...args: unknown[]) => inside(member.apply(target, args))
      return (...args: unknown[]) => around(String(name), args, () => member.apply(target, args))
    },
  })
}
