import assert from 'node:assert/strict'
import type {
  ClientStatus,
  ContactInfo,
  DomainChange,
  DomainContact,
  DomainInfo,
  HostInfo,
  Outcome,
  Reading,
  Registries,
  Registry,
  RegistryReply,
  Transfer,
} from '#ports/registry.ts'

/** What goes wrong with one command. */
export type CommandMishap =
  /** The registry refuses it and has no effect. 2302–2306 are also the codes of an echo. */
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'fault'; readonly fault: 'balance' | 'login' | 'protocol' }
  | { readonly kind: 'not_sent' | 'command_lost' | 'answer_lost' | 'pending' | 'pending_lost' }
  /** No answer, and the registry executes it only after the next question about the domain. A repeat is answered with an echo. */
  | { readonly kind: 'late' }

/** What goes wrong with one question about the domain. */
export type ReadMishap =
  | { readonly kind: 'absent'; readonly code: 2303 | 2201 }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'fault' | 'not_sent' | 'unknown' }

export interface TrialRegistrySetup {
  readonly isLocked: boolean
  readonly isSigned: boolean
  /** `info` shows the transfer code. */
  readonly showsCode: boolean
  /** A restore is complete only after a report (RFC 3915). */
  readonly wantsReport: boolean
  /** Answers 2201 for domains of other registrars. */
  readonly hidesOthers: boolean
}

/** Called in every request. A command has its clTRID, a question has null. */
export type OnRequest = (clTrid: string | null) => Promise<void>

/** A command as the registry saw it. */
export interface SeenCommand {
  readonly clTrid: string
  /** What it requests: two equal texts are the same command. */
  readonly text: string
  /** It had taken effect when the registry was next queried. */
  isExecuted: boolean
  isLate: boolean
  /** It got no answer. */
  isDoubted: boolean
  /** How often others had changed the domain when it was executed. */
  touches: number
}

type Attempt = () => number | (() => void)

interface KeptDomain {
  readonly roid: string
  sponsor: string
  clientStatuses: Set<ClientStatus>
  isTransferPending: boolean
  isDeleted: boolean
  grace: 'redemptionPeriod' | 'pendingRestore' | null
  registrant: string
  contacts: DomainContact[]
  nameservers: Set<string>
  isSigned: boolean
  authInfo: string
  expiresAt: Date
  transfer: Transfer | null
  pending: { readonly attempt: Attempt; readonly seen: SeenCommand } | null
}

const us = 'zonewright'
const rival = 'rival'
const lock: readonly ClientStatus[] = ['clientTransferProhibited', 'clientUpdateProhibited', 'clientDeleteProhibited']

/**
 * A strict registry in memory, with one domain: it refuses to add what exists and to remove what does not, follows the
 * `clientUpdateProhibited` rule of RFC 5731, and lets a trial decide what goes wrong with each request.
 */
export class TrialRegistry {
  readonly name: string
  readonly #setup: TrialRegistrySetup
  readonly hosts = new Map<string, Set<string>>()
  readonly contacts = new Set<string>()
  readonly seen: SeenCommand[] = []
  /** What goes wrong with the next commands; null: nothing goes wrong with that one. */
  readonly mishaps: (CommandMishap | null)[] = []
  readonly readMishaps: (ReadMishap | null)[] = []
  /** Called in every request, before the registry executes it. */
  onRequest: OnRequest = async () => undefined
  /** Called in every request, once the registry has executed it and its answer is on its way. */
  onAnswer: OnRequest = async () => undefined
  /** Called with what a command requests, before the registry executes it. */
  onCommand: (clTrid: string, text: string) => Promise<void> = async () => undefined
  /** The registry no longer has the name, because it was deleted. */
  domain: KeptDomain | undefined
  /** How often someone else has changed the domain. */
  touches = 0
  /** The number of charged restores in this redemption period. */
  restores = 0
  /** The last command got no answer, and the registry has not been asked about the domain since then. */
  isInDoubt = false
  /** Whether each question saw the domain, with the trial's time. Questions without an answer do not count. */
  readonly looks: { readonly atS: number; readonly isSeen: boolean }[] = []
  /** The trial's clock, in seconds. */
  nowS: () => number = () => performance.now() / 1000
  #late: { readonly attempt: Attempt; readonly seen: SeenCommand } | null = null
  #inFlight = 0
  #objects = 0

  constructor(name: string, setup: TrialRegistrySetup) {
    this.name = name
    this.#setup = setup
    this.register()
  }

  get registries(): Registries {
    const registry = this.registry
    return { all: [registry], registryOf: () => registry, close: async () => undefined }
  }

  /** The domain is registered with us, as if by an order. */
  register(): void {
    const { isLocked, isSigned } = this.#setup
    const registrant = `REG${++this.#objects}`
    this.contacts.add(registrant)
    this.hosts.clear()
    this.restores = 0
    this.touches++
    this.#late = null
    this.domain = {
      roid: `D${this.#objects}`,
      sponsor: us,
      clientStatuses: new Set(isLocked ? lock : []),
      isTransferPending: false,
      isDeleted: false,
      grace: null,
      registrant,
      contacts: contactsOf(registrant),
      nameservers: new Set(['ns1.example.org', 'ns2.example.org']),
      isSigned,
      authInfo: 'first-Code1',
      expiresAt: new Date(Date.UTC(new Date().getUTCFullYear() + 2, 0, 1)),
      transfer: null,
      pending: null,
    }
  }

  get showsCode(): boolean {
    return this.#setup.showsCode
  }

  /** A command that got no answer is still to be executed. */
  get hasLate(): boolean {
    return this.#late !== null
  }

  /** The clTRID of the command that the registry has not decided yet. */
  get undecided(): string | undefined {
    return this.domain?.pending?.seen.clTrid
  }

  get isOurs(): boolean {
    return this.domain?.sponsor === us
  }

  statuses(): string[] {
    const { domain } = this
    if (domain === undefined) return []
    const all: string[] = [...domain.clientStatuses]
    if (domain.pending !== null) all.push('pendingUpdate')
    if (domain.isTransferPending) all.push('pendingTransfer')
    if (domain.isDeleted) all.push('pendingDelete')
    return all.length === 0 ? ['ok'] : all.sort()
  }

  lockStatuses(): string[] {
    return lock.filter((status) => this.domain?.clientStatuses.has(status)).toSorted()
  }

  /** Decides the pending command. */
  decide(isDone: boolean): void {
    const { domain } = this
    if (domain?.pending == null) return
    const { attempt, seen } = domain.pending
    domain.pending = null
    if (isDone) this.#execute(attempt, seen)
  }

  /** Another registrar requests a transfer. */
  askTransfer(): void {
    const { domain } = this
    if (domain === undefined || !this.isOurs || domain.isTransferPending || domain.isDeleted) return
    if (domain.clientStatuses.has('clientTransferProhibited')) return
    this.touches++
    domain.isTransferPending = true
    domain.transfer = {
      name: this.name,
      status: 'pending',
      requestedBy: rival,
      requestedAt: new Date(),
      actor: us,
      actBy: new Date(Date.now() + 5 * 86_400_000),
      expiresAt: null,
    }
  }

  /** The registry, or the requester, ends the transfer. */
  endTransfer(isApproved: boolean): void {
    const { domain } = this
    if (domain?.transfer?.status !== 'pending') return
    this.touches++
    this.#endTransfer(domain, isApproved ? 'serverApproved' : 'clientCancelled')
  }

  /** The domain as its registrar sees it. */
  info(): DomainInfo {
    const { domain, name } = this
    assert.ok(domain)
    return {
      name,
      roid: domain.roid,
      statuses: this.statuses(),
      graceStatuses: domain.grace === null ? [] : [domain.grace],
      registrant: domain.registrant,
      contacts: domain.contacts,
      nameservers: [...domain.nameservers].sort(),
      subordinateHosts: [...this.hosts.keys()].sort(),
      isSigned: domain.isSigned,
      dsRecords: domain.isSigned ? [{ keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) }] : [],
      sponsor: domain.sponsor,
      createdAt: null,
      updatedAt: null,
      expiresAt: domain.expiresAt,
      transferredAt: null,
      authInfo: this.#setup.showsCode ? domain.authInfo : null,
    }
  }

  get registry(): Registry {
    const never = (): never => assert.fail('changes of domains do not ask that')
    return {
      id: 'trial',
      registrarId: us,
      tlds: ['test'],
      domains: {
        check: never,
        create: never,
        renew: never,
        requestTransfer: never,
        cancelTransfer: never,
        delete: never,
        info: () => this.#info(),
        queryTransfer: () => this.#read(() => this.domain?.transfer ?? 2301),
        approveTransfer: (_, clTrid) => this.#decideTransfer('clientApproved', clTrid),
        rejectTransfer: (_, clTrid) => this.#decideTransfer('clientRejected', clTrid),
        update: (_, change, clTrid) =>
          this.#send(clTrid, `update ${JSON.stringify(change)}`, () => this.#update(change), null),
        restore: (_, clTrid) => this.#send(clTrid, 'restore', () => this.#restore(), null),
        reportRestore: (_, __, clTrid) => this.#send(clTrid, 'report', () => this.#report(), null),
      },
      contacts: {
        create: ({ id }, _, clTrid) =>
          this.#send(
            clTrid,
            `contact:create ${id}`,
            () => (this.contacts.has(id) ? 2302 : () => this.contacts.add(id)),
            null,
          ),
        info: (id) =>
          this.#read(() =>
            this.contacts.has(id) ? ({ id, roid: id, statuses: ['ok'], sponsor: us } as unknown as ContactInfo) : 2303,
          ),
        update: never,
        delete: (id, clTrid) => this.#send(clTrid, `contact:delete ${id}`, () => this.#deleteContact(id), null),
      },
      hosts: {
        create: ({ name, addresses }, clTrid) =>
          this.#send(
            clTrid,
            `host:create ${name}`,
            () =>
              this.#refusalOfOthers() ?? (this.hosts.has(name) ? 2302 : () => this.hosts.set(name, new Set(addresses))),
            null,
          ),
        info: (name) => this.#read(() => this.#host(name)),
        update: (name, { addresses }, clTrid) =>
          this.#send(
            clTrid,
            `host:update ${name} ${JSON.stringify(addresses)}`,
            () => {
              const kept = this.hosts.get(name)
              return (
                this.#refusalOfOthers() ??
                (kept === undefined ? 2303 : changeSet(kept, addresses.add, addresses.remove))
              )
            },
            null,
          ),
        delete: (name, clTrid) => this.#send(clTrid, `host:delete ${name}`, () => this.#deleteHost(name), null),
      },
      messages: { next: never, acknowledge: never, listen: never },
    }
  }

  async #info(): Promise<Reading<DomainInfo>> {
    await this.onRequest(null)
    const mishap = this.readMishaps.shift() ?? undefined
    const { domain } = this
    const reading = (): Reading<DomainInfo> => {
      if (mishap?.kind === 'absent' || mishap?.kind === 'refused') return { kind: 'refused', reply: reply(mishap.code) }
      if (mishap !== undefined) return failed(mishap.kind)
      if (domain === undefined) return { kind: 'refused', reply: reply(2303) }
      if (domain.sponsor !== us && this.#setup.hidesOthers) return { kind: 'refused', reply: reply(2201) }
      const info = this.info()
      const others = {
        registrant: null,
        contacts: [],
        nameservers: [],
        expiresAt: null,
        authInfo: null,
        isSigned: false,
      }
      return { kind: 'done', value: domain.sponsor === us ? info : { ...info, ...others }, reply: reply(1000) }
    }
    const read = reading()
    if (read.kind === 'done' || mishap?.kind === 'absent' || (mishap === undefined && read.kind === 'refused'))
      this.looks.push({ atS: this.nowS(), isSeen: read.kind === 'done' })
    if (read.kind === 'done') this.isInDoubt = false
    this.#carryOutLate()
    await this.onAnswer(null)
    return read
  }

  async #read<T>(look: () => T | number): Promise<Reading<T>> {
    await this.onRequest(null)
    const found = look()
    await this.onAnswer(null)
    if (typeof found === 'number') return { kind: 'refused', reply: reply(found) }
    return { kind: 'done', value: found, reply: reply(1000) }
  }

  async #send<T>(clTrid: string, text: string, attempt: Attempt, value: T): Promise<Outcome<T>> {
    assert.equal(this.#inFlight, 0, 'two commands about the domain are on their way at once')
    this.#inFlight++
    try {
      await this.onRequest(clTrid)
      this.#carryOutLate()
      await this.onCommand(clTrid, text)
      const answer = this.#answer(clTrid, text, attempt, value)
      await this.onAnswer(clTrid)
      return answer
    } finally {
      this.#inFlight--
    }
  }

  #answer<T>(clTrid: string, text: string, attempt: Attempt, value: T): Outcome<T> {
    const mishap = this.mishaps.shift()
    const seen: SeenCommand = {
      clTrid,
      text,
      isExecuted: false,
      isLate: false,
      isDoubted: false,
      touches: this.touches,
    }
    this.seen.push(seen)
    switch (mishap?.kind) {
      case 'not_sent':
        return failed('not_sent')
      case 'command_lost':
        return this.#doubt(seen)
      case 'late':
        seen.isLate = true
        this.#late = { attempt, seen }
        return this.#doubt(seen)
      case 'fault':
        return { kind: 'fault', fault: mishap.fault, reply: reply(2104) }
      case 'refused':
        return { kind: 'refused', reply: reply(mishap.code) }
      case 'pending':
      case 'pending_lost': {
        // Commands that are not about the domain itself are decided immediately.
        const isOfDomain = /^(update|restore|report)/.test(text)
        const check = attempt()
        if (typeof check === 'number') return { kind: 'refused', reply: reply(check) }
        if (!isOfDomain || this.domain === undefined) break
        this.domain.pending = { attempt, seen }
        return mishap.kind === 'pending' ? { kind: 'pending', value: null, reply: reply(1001) } : this.#doubt(seen)
      }
    }
    const code = this.#execute(attempt, seen)
    if (mishap?.kind === 'answer_lost' || mishap?.kind === 'pending_lost') return this.#doubt(seen)
    return code === 1000 ? { kind: 'done', value, reply: reply(1000) } : { kind: 'refused', reply: reply(code) }
  }

  #doubt(seen: SeenCommand): Outcome<never> {
    seen.isDoubted = true
    this.isInDoubt = true
    return { kind: 'unknown', why: 'no answer', reply: null }
  }

  #execute(attempt: Attempt, seen: SeenCommand): number {
    const effect = attempt()
    if (typeof effect === 'number') return effect
    effect()
    seen.isExecuted = true
    seen.touches = this.touches
    return 1000
  }

  #carryOutLate(): void {
    const late = this.#late
    this.#late = null
    if (late !== null) this.#execute(late.attempt, late.seen)
  }

  /** Why any change of the domain is refused. Undefined if nothing prevents it. */
  #refusalOfOthers(): number | undefined {
    if (this.domain === undefined) return 2303
    return this.isOurs ? undefined : 2201
  }

  #update({ nameservers, statuses, contacts, dsRecords, registrant, authInfo }: DomainChange): ReturnType<Attempt> {
    const { domain } = this
    const refusal = this.#refusalOfOthers()
    if (refusal !== undefined || domain === undefined) return refusal ?? 2303
    if (domain.pending !== null || domain.isTransferPending || domain.isDeleted) return 2304
    const isUnlocking = statuses?.add.length === 0 && statuses.remove.join() === 'clientUpdateProhibited'
    if (domain.clientStatuses.has('clientUpdateProhibited') && !isUnlocking) return 2304
    const effects: ReturnType<Attempt>[] = []
    if (statuses) effects.push(changeSet(domain.clientStatuses, statuses.add, statuses.remove))
    if (nameservers) {
      const isUnknown = (host: string): boolean =>
        host.includes('nobody') || ((host === this.name || host.endsWith(`.${this.name}`)) && !this.hosts.has(host))
      if (nameservers.add.some(isUnknown)) return 2303
      effects.push(changeSet(domain.nameservers, nameservers.add, nameservers.remove))
    }
    if (registrant !== undefined) {
      if (!this.contacts.has(registrant)) return 2303
      effects.push(() => {
        domain.registrant = registrant
      })
    }
    if (contacts) {
      if (contacts.add.some(({ id }) => !this.contacts.has(id))) return 2303
      const kept = new Set(domain.contacts.map(textOf))
      const check = changeSet(kept, contacts.add.map(textOf), contacts.remove.map(textOf))
      if (typeof check === 'number') return check
      const gone = contacts.remove.map(textOf)
      effects.push(() => {
        domain.contacts = [...domain.contacts.filter((each) => !gone.includes(textOf(each))), ...contacts.add]
      })
    }
    if (dsRecords === 'none') {
      if (!domain.isSigned) return 2303
      effects.push(() => {
        domain.isSigned = false
      })
    }
    if (authInfo !== undefined)
      effects.push(() => {
        domain.authInfo = authInfo
      })
    const refused = effects.find((effect) => typeof effect === 'number')
    if (typeof refused === 'number') return refused
    return () => {
      for (const effect of effects) if (typeof effect === 'function') effect()
    }
  }

  #restore(): ReturnType<Attempt> {
    const { domain } = this
    const refusal = this.#refusalOfOthers()
    if (refusal !== undefined || domain === undefined) return refusal ?? 2303
    if (domain.pending !== null || domain.grace !== 'redemptionPeriod') return 2304
    return () => {
      this.restores++
      if (this.#setup.wantsReport) domain.grace = 'pendingRestore'
      else this.#undelete(domain)
    }
  }

  #report(): ReturnType<Attempt> {
    const { domain } = this
    if (domain === undefined || !this.isOurs || domain.pending !== null || domain.grace !== 'pendingRestore')
      return 2304
    return () => this.#undelete(domain)
  }

  #undelete(domain: KeptDomain): void {
    domain.grace = null
    domain.isDeleted = false
  }

  async #decideTransfer(status: 'clientApproved' | 'clientRejected', clTrid: string): Promise<Outcome<Transfer>> {
    const value = this.domain?.transfer
    return this.#send(
      clTrid,
      status,
      () => {
        const { domain } = this
        if (domain?.transfer?.status !== 'pending') return 2301
        return () => this.#endTransfer(domain, status)
      },
      { ...(value as Transfer), status },
    )
  }

  #endTransfer(domain: KeptDomain, status: Transfer['status']): void {
    domain.isTransferPending = false
    if (domain.transfer !== null) domain.transfer = { ...domain.transfer, status }
    if (status.endsWith('Approved')) domain.sponsor = rival
  }

  #host(name: string): HostInfo | number {
    const addresses = this.hosts.get(name)
    return addresses === undefined
      ? 2303
      : { name, addresses: [...addresses], roid: name, statuses: ['ok'], sponsor: us }
  }

  #deleteHost(name: string): ReturnType<Attempt> {
    if (!this.hosts.has(name)) return 2303
    if (this.domain?.nameservers.has(name)) return 2305
    return () => this.hosts.delete(name)
  }

  #deleteContact(id: string): ReturnType<Attempt> {
    if (!this.contacts.has(id)) return 2303
    const { domain } = this
    if (domain?.registrant === id || domain?.contacts.some((each) => each.id === id)) return 2305
    return () => this.contacts.delete(id)
  }
}

export function contactsOf(id: string): DomainContact[] {
  return (['admin', 'tech', 'billing'] as const).map((type) => ({ type, id }))
}

function textOf({ type, id }: DomainContact): string {
  return `${type} ${id}`
}

/** Changes a set, or returns a code that says why not: 2306 if something to add exists, 2303 if something to remove does not. */
function changeSet<T>(kept: Set<T>, add: readonly T[], remove: readonly T[]): ReturnType<Attempt> {
  if (add.some((each) => kept.has(each))) return 2306
  if (remove.some((each) => !kept.has(each))) return 2303
  return () => {
    for (const each of remove) kept.delete(each)
    for (const each of add) kept.add(each)
  }
}

function reply(code: number): RegistryReply {
  return { code, message: `Reply ${code}`, svTrid: 'SV-1' }
}

function failed(kind: 'fault' | 'not_sent' | 'unknown'): Reading<never> {
  if (kind === 'fault') return { kind, fault: 'login', reply: reply(2200) }
  return kind === 'unknown' ? { kind, why: 'no answer', reply: null } : { kind, why: 'no session' }
}
