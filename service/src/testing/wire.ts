import assert from 'node:assert/strict'
import { aroundCalls } from './around-calls.ts'

/** Calls that send a change to a registry. */
const transforms = new Set(['create', 'renew', 'requestTransfer'])

/** The commands of several workers on their way to registries. Never two commands about one domain, or one contact, at once. */
export class Wire {
  readonly #underWay = new Set<string>()

  /** The same object. Each call waits for `onTheWay` before it is made. */
  port<T extends object>(port: T, onTheWay?: () => Promise<void>): T {
    return aroundCalls(port, async (name, args, call) => {
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
    })
  }
}
