import { asName, isHostName, isLocalHost } from '@zonewright/dns'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import type { AddressFailure, AddressResolver, FoundAddresses } from '#ports/address-resolver.ts'
import { lookUpHosted } from './hosted-lookup.ts'
import { type HostedZone, zonesOfHosts } from './hosted-store.ts'
import { mostSteps } from './rules.ts'

/** Maximum number of hosts whose zones are looked up in one statement. */
const mostHosts = 200

/**
 * Looks up targets: hosts in live zones here in the records of these zones, all others with the resolver. Zones here that are not live do not
 * count. It follows at most eight aliases from a target.
 */
export class TargetLookup {
  readonly #database: Database
  readonly #resolver: AddressResolver
  readonly #zones: Gather<string, HostedZone | undefined>

  constructor(database: Database, resolver: AddressResolver) {
    this.#database = database
    this.#resolver = resolver
    this.#zones = new Gather({ maxItems: mostHosts, slots: 2 }, (hosts) => zonesOfHosts(database.db, hosts))
  }

  isPublic(address: string): boolean {
    return this.#resolver.isPublic(address)
  }

  /** The addresses of a target, or why there are none. Ends within `timeoutMs`, unless the database is slow. */
  async addresses(target: string, timeoutMs: number): Promise<FoundAddresses | AddressFailure> {
    const untilMs = performance.now() + timeoutMs
    let host = target
    let lowestTtl = Number.POSITIVE_INFINITY
    for (let steps = 0; ; steps++) {
      const name = asName(`${host}.`)
      if (name === undefined || !isHostName(name) || isLocalHost(name)) return 'no_address'
      const zone = await this.#zones.ask(host)
      const answer = zone && (await lookUpHosted(this.#database.db, zone, host))
      if (answer === undefined || answer.kind === 'elsewhere') {
        const limits = { timeoutMs: Math.max(1, untilMs - performance.now()), mostSteps: mostSteps - steps }
        return withTtl(await this.#resolver.addresses(host, limits), lowestTtl)
      }
      if (answer.kind === 'nothing') return 'no_address'
      if (answer.kind === 'addresses') return withTtl(answer, lowestTtl)
      if (steps === mostSteps) return 'too_many_steps'
      lowestTtl = Math.min(lowestTtl, answer.ttl)
      host = answer.host
    }
  }
}

function withTtl(found: FoundAddresses | AddressFailure, ttl: number): FoundAddresses | AddressFailure {
  return typeof found === 'string' ? found : { a: found.a, aaaa: found.aaaa, ttl: Math.min(found.ttl, ttl) }
}
