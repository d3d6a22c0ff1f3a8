import { type Response, writeMessage } from '@zonewright/epp'
import type { RegistryZones } from '../dns/registry-zones.ts'
import { graceMs, isPublished, pendingDeleteMs, redemptionMs, reportDueMs, statusesOf } from './life.ts'
import type { RegistryNames } from './names.ts'
import type { ObjectStore } from './object-store.ts'
import type { Domain } from './objects.ts'
import { amountOf, currency } from './prices.ts'
import { RefusedCommand } from './reply.ts'
import { endTransfer, transferData } from './transfer.ts'

/** The registry: its objects, its clock, and the changes that are due over time. Commands are functions on it. */
export class Registry {
  readonly store: ObjectStore
  readonly names: RegistryNames
  readonly #zones: RegistryZones
  #aheadMs = 0

  constructor(store: ObjectStore, names: RegistryNames, zones: RegistryZones) {
    this.store = store
    this.names = names
    this.#zones = zones
    for (const host of store.all('host')) zones.setGlue(host.name, host.addresses)
    for (const domain of store.all('domain')) this.#publish(domain)
  }

  now(): number {
    return Date.now() + this.#aheadMs
  }

  /** Sets how far the clock is ahead of the machine's, and performs everything that is then due. */
  setAhead(ms: number): void {
    this.#aheadMs = ms
    this.sweep()
  }

  /** Performs what is due, for every domain. Otherwise, it is performed when someone requests the domain. */
  sweep(): void {
    for (const { name } of [...this.store.all('domain')]) this.domain(name)
    this.store.commit()
  }

  /** The current state of a domain. */
  domain(name: string): Domain | undefined {
    let domain = this.store.get('domain', name)
    while (domain !== undefined) {
      const later = this.#afterNextEvent(domain)
      if (later === domain) break
      domain = later
    }
    if (domain !== undefined) this.#publish(domain)
    return domain
  }

  /** 2303 if there is none. */
  existing(name: string): Domain {
    const domain = this.domain(name.toLowerCase())
    if (domain === undefined) throw new RefusedCommand(2303, `${name} is not registered`)
    return domain
  }

  /** 2201 if it belongs to another registrar. */
  sponsored(name: string, registrar: string): Domain {
    const domain = this.existing(name)
    if (domain.sponsor !== registrar) throw new RefusedCommand(2201, `${domain.name} is with another registrar`)
    return domain
  }

  /** A domain that was delegated manually, without a registration. */
  isDelegatedByHand(name: string): boolean {
    return this.#zones.nameserversOf(name) !== undefined && this.store.get('domain', name) === undefined
  }

  keep(domain: Domain): void {
    this.store.put('domain', domain.name, domain)
    this.#publish(domain)
  }

  purge(domain: Domain): void {
    this.store.remove('domain', domain.name)
    for (const host of this.hostsOf(domain.name)) {
      this.store.remove('host', host)
      this.#zones.setGlue(host, [])
    }
    this.#zones.publish(domain.name, undefined)
  }

  setHost(name: string): void {
    this.#zones.setGlue(name, this.store.get('host', name)?.addresses ?? [])
  }

  /** The hosts of a domain: those below it, and one of its own name (RFC 5732 §1.1). */
  hostsOf(domain: string): string[] {
    return [...this.store.all('host')]
      .map(({ name }) => name)
      .filter((name) => name === domain || name.endsWith(`.${domain}`))
      .sort()
  }

  /** Charges a registrar's account, or refunds it. 2104 if the balance is too low. */
  charge(registrar: string, kobo: number): void {
    const account = this.store.get('registrar', registrar)
    if (account === undefined) throw new RefusedCommand(2104, 'There is no account')
    if (kobo > 0 && account.balance < kobo)
      throw new RefusedCommand(2104, `The balance is ${amountOf(account.balance)} ${currency}`)
    this.store.put('registrar', registrar, { ...account, balance: account.balance - kobo })
  }

  balanceOf(registrar: string): string {
    return amountOf(this.store.get('registrar', registrar)?.balance ?? 0)
  }

  /** Puts a message into a registrar's queue. */
  tell(registrar: string, text: string, data: Response['data'] = {}): void {
    if (this.store.get('registrar', registrar) === undefined) return
    const id = String(this.store.next())
    const response: Response = {
      results: [{ code: 1301, message: { text }, reasons: [] }],
      data,
      extensions: {},
      transaction: { svTrid: `MSG-${id}` },
    }
    const document = writeMessage({ kind: 'response', response })
    this.store.put('message', id, { id, registrar, at: this.now(), text, document })
  }

  #publish(domain: Domain): void {
    const { name, nameservers, ds } = domain
    const isThere = isPublished(domain, this.now()) && nameservers.length > 0
    this.#zones.publish(name, isThere ? { nameservers, ds } : undefined)
  }

  /** The domain after its next due change; the same domain if nothing is due. */
  #afterNextEvent(domain: Domain): Domain | undefined {
    const now = this.now()
    const { transfer, restoreAskedAt, deletedAt, expiresAt } = domain
    if (transfer?.status === 'pending' && now >= transfer.actionAt) return this.#approveUndecided(domain)
    if (restoreAskedAt !== undefined && now >= restoreAskedAt + reportDueMs) {
      const { restoreAskedAt: _, ...unrestored } = domain
      return this.#moved({ ...unrestored, deletedAt: restoreAskedAt + reportDueMs }, 'No report of the restore came')
    }
    if (deletedAt === undefined && now >= expiresAt + graceMs)
      return this.#moved({ ...domain, deletedAt: expiresAt + graceMs }, 'The redemption period has begun')
    if (deletedAt !== undefined && restoreAskedAt === undefined && now >= deletedAt + redemptionMs + pendingDeleteMs) {
      this.purge(domain)
      this.tell(domain.sponsor, `${domain.name} has been deleted`)
      return undefined
    }
    return domain
  }

  #approveUndecided(domain: Domain): Domain {
    const ended = endTransfer(domain, 'serverApproved', domain.transfer?.actionAt ?? this.now())
    this.keep(ended)
    const data = transferData(ended)
    for (const registrar of [domain.sponsor, ended.sponsor])
      this.tell(registrar, 'Transfer approved by the registry', { 'domain:trnData': data })
    return ended
  }

  #moved(domain: Domain, text: string): Domain {
    this.keep(domain)
    this.tell(domain.sponsor, `${text}: ${domain.name} is ${statusesOf(domain, this.now()).join(', ')}`)
    return domain
  }
}
