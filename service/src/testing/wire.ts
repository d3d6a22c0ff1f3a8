import assert from 'node:assert/strict'

/** Calls that send what changes something at a registry. */
const transforms = new Set(['create', 'renew', 'requestTransfer'])

/** What several workers have on its way to registries: never two commands about one domain, or one contact, at once. */
export class Wire {
  readonly #underWay = new Set<string>()

  /** The same object; `onTheWay` is waited for in each call, before the call is made. */
  port<T extends object>(port: T, onTheWay?: () => Promise<void>): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member === 'object' && member !== null && !Array.isArray(member)) return this.port(member, onTheWay)
        if (typeof member !== 'function') return member
        if (name === 'registryOf') return (...args: unknown[]) => this.port(member.apply(target, args), onTheWay)
        return (...args: unknown[]) => this.#call(String(name), args, onTheWay, () => member.apply(target, args))
      },
    })
  }

  async #call(
    name: string,
    args: unknown[],
    onTheWay: (() => Promise<void>) | undefined,
    call: () => Promise<unknown>,
  ) {
    if (!transforms.has(name)) {
      await onTheWay?.()
      return call()
    }
    const [about] = args as [{ id?: string; name?: string }]
    const subject = about.id ?? about.name ?? assert.fail('it is about nothing')
    assert.ok(!this.#underWay.has(subject), `two commands about ${subject} are on their way at once`)
    this.#underWay.add(subject)
    try {
      await onTheWay?.()
      return await call()
    } finally {
      this.#underWay.delete(subject)
    }
  }
}
