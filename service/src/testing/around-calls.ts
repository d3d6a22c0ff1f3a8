/** Synchronous methods of the ports, whose calls are passed through unchanged. */
const syncMethods = new Set(['registryOf', 'parseWebhook'])

/** Makes a call of a port's method, or skips it. */
type Around = (name: string, args: readonly unknown[], call: () => Promise<unknown>) => Promise<unknown>

/** The same object, with `around` wrapped around its methods, including those of its members and of the objects that it looks up. */
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
