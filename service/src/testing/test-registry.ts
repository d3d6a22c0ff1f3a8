import type {
  DomainCheck,
  DomainInfo,
  Fault,
  Money,
  Outcome,
  Reading,
  Registries,
  Registry,
  RegistryMessage,
  RegistryReply,
  Transfer,
} from '#ports/registry.ts'

/** What a command of the test's registry does instead of what it should. */
export type Mishap =
  /** It is done, and the answer is lost. */
  | 'answer_lost'
  /** It never arrives. */
  | 'command_lost'
  /** 1001: `decide` ends it. */
  | 'pending'
  | 'not_sent'
  | 'balance'
  | { readonly refuse: number; readonly message: string }

interface Held {
  info: DomainInfo
  authInfo: string
  transfer: Transfer | undefined
}

const year = 365 * 86_400_000

/**
 * A registry in memory, behind the same port as the real ones: for tests that go through thousands of orders. What it is made
 * to do wrong it does once, in the order in which it was told.
 */
export class TestRegistry implements Registries, Registry {
  readonly id = 'sandbox'
  readonly registrarId = 'zonewright'
  readonly tlds: readonly string[]
  readonly all: readonly Registry[] = [this]
  readonly held = new Map<string, Held>()
  readonly contactIds = new Set<string>()
  readonly hostAddresses = new Map<string, readonly string[]>()
  /** Names with a price of their own: what a year costs us, in naira. */
  readonly premium = new Map<string, string>()
  /** Every command that changes something, as `create shop.test`. */
  readonly transforms: string[] = []
  readonly queue: RegistryMessage[] = []
  readonly #mishaps = new Map<string, Mishap[]>()
  readonly #decisions = new Map<string, { clTrid: string; act: () => void }>()
  #messages = 0
  /** Milliseconds that its clock is ahead. */
  aheadMs = 0

  constructor(tlds: readonly string[]) {
    this.tlds = tlds
  }

  /** What the next command of this name does: `create`, `renew`, `transfer`, `info`, `check`, `update`, `contact`. */
  nextTime(command: string, ...mishaps: Mishap[]): void {
    this.#mishaps.set(command, [...(this.#mishaps.get(command) ?? []), ...mishaps])
  }

  /** Puts a domain there that is another registrar's. */
  put(
    name: string,
    options: { authInfo?: string; sponsor?: string; statuses?: string[]; expiresAt?: Date } = {},
  ): void {
    const { authInfo = 'their-code', sponsor = 'other', statuses = ['ok'] } = options
    const expiresAt = options.expiresAt ?? new Date(this.#now() + year)
    const info = this.#newInfo(name, { sponsor, statuses, nameservers: [], expiresAt, registrant: null })
    this.held.set(name, { authInfo, info, transfer: undefined })
  }

  /** Decides what is pending for a name, and queues the message about it. */
  decide(name: string, isDone: boolean): void {
    const decision = this.#decisions.get(name)
    if (decision === undefined) throw new Error(`nothing is pending for ${name}`)
    this.#decisions.delete(name)
    if (isDone) decision.act()
    const { clTrid } = decision
    this.#tell({ kind: 'decided', domain: name, wasDone: isDone, clTrid, at: new Date(this.#now()) })
  }

  /** Ends the transfer of a name, as its losing registrar or the registry would. */
  endTransfer(name: string, status: 'clientApproved' | 'clientRejected' | 'serverApproved'): void {
    const held = this.held.get(name)
    if (held?.transfer?.status !== 'pending') throw new Error(`no transfer of ${name} is under way`)
    const transfer: Transfer = { ...held.transfer, status }
    held.transfer = transfer
    if (status !== 'clientRejected')
      held.info = {
        ...held.info,
        sponsor: transfer.requestedBy,
        expiresAt: new Date((held.info.expiresAt?.getTime() ?? 0) + year),
      }
    held.info = { ...held.info, statuses: ['ok'] }
    this.#tell({ kind: 'transfer', transfer })
  }

  registryOf(domain: string): Registry | undefined {
    return this.tlds.some((tld) => domain.endsWith(`.${tld}`)) ? this : undefined
  }

  async close(): Promise<void> {}

  readonly domains: Registry['domains'] = {
    check: async (names, years = 1) =>
      this.#asked<readonly DomainCheck[]>('check', () =>
        names.map((name) => ({
          name,
          isAvailable: !this.held.has(name),
          reason: this.held.has(name) ? 'In use' : null,
          isPremium: this.premium.has(name),
          fees: this.#fees(name, years),
        })),
      ),
    info: async (name, authInfo) =>
      this.#asked<DomainInfo>('info', () => {
        const held = this.held.get(name)
        if (held === undefined) return refused(2303, 'Object does not exist')
        if (authInfo !== undefined && authInfo !== held.authInfo)
          return refused(2202, 'Invalid authorization information')
        return held.info
      }),
    create: async (wanted, clTrid) =>
      this.#transform('create', wanted.name, clTrid, () => {
        if (this.held.has(wanted.name)) return refused(2302, 'Object exists')
        if (!this.contactIds.has(wanted.registrant)) return refused(2303, 'Registrant does not exist')
        const fee = this.premium.get(wanted.name)
        if (fee !== undefined && Number(wanted.fee?.amount) !== Number(fee) * wanted.years)
          return refused(2004, 'Wrong fee')
        const expiresAt = new Date(this.#now() + wanted.years * year)
        const { authInfo, registrant } = wanted
        const about = { sponsor: this.registrarId, statuses: ['ok'], nameservers: [...wanted.nameservers].sort() }
        const info = this.#newInfo(wanted.name, { ...about, expiresAt, registrant })
        this.held.set(wanted.name, { authInfo, info, transfer: undefined })
        return { name: wanted.name, createdAt: new Date(this.#now()), expiresAt, charged: { fee: null, balance: null } }
      }),
    renew: async (wanted, clTrid) =>
      this.#transform('renew', wanted.name, clTrid, () => {
        const held = this.#own(wanted.name)
        if ('kind' in held) return held
        if (held.info.expiresAt?.getTime() !== wanted.expiresAt.getTime()) return refused(2306, 'Wrong expiry date')
        const expiresAt = new Date(wanted.expiresAt.getTime() + wanted.years * year)
        held.info = { ...held.info, expiresAt }
        return { name: wanted.name, expiresAt, charged: { fee: null, balance: null } }
      }),
    queryTransfer: async (name) =>
      this.#asked<Transfer>(
        'query',
        () => this.held.get(name)?.transfer ?? refused(2301, 'Object not pending transfer'),
      ),
    requestTransfer: async ({ name, authInfo }, clTrid) => {
      const outcome = await this.#transform<Transfer>('transfer', name, clTrid, () => {
        const held = this.held.get(name)
        if (held === undefined) return refused(2303, 'Object does not exist')
        if (held.authInfo !== authInfo) return refused(2202, 'Invalid authorization information')
        if (held.info.statuses.includes('clientTransferProhibited')) return refused(2304, 'Status prohibits operation')
        if (held.transfer?.status === 'pending') return refused(2300, 'Object pending transfer')
        held.transfer = this.#transfer(name, 'pending', this.registrarId)
        held.info = { ...held.info, statuses: ['pendingTransfer'] }
        return held.transfer
      })
      return outcome.kind === 'done' ? { ...outcome, kind: 'pending' } : outcome
    },
    approveTransfer: async (name, clTrid) => this.#answerTransfer(name, clTrid, 'clientApproved'),
    rejectTransfer: async (name, clTrid) => this.#answerTransfer(name, clTrid, 'clientRejected'),
    cancelTransfer: async (name, clTrid) => this.#answerTransfer(name, clTrid, 'clientCancelled'),
    update: async (name, change, clTrid) =>
      this.#transform('update', name, clTrid, () => {
        const held = this.#own(name)
        if ('kind' in held) return held
        const { info } = held
        const unlocks = change.statuses?.remove.includes('clientUpdateProhibited')
        if (info.statuses.includes('clientUpdateProhibited') && !unlocks)
          return refused(2304, 'Status prohibits operation')
        held.authInfo = change.authInfo ?? held.authInfo
        held.info = {
          ...info,
          registrant: change.registrant ?? info.registrant,
          nameservers: applied(info.nameservers, change.nameservers).sort(),
          statuses: applied(info.statuses, change.statuses),
        }
        return null
      }),
    delete: async (name, clTrid) =>
      this.#transform('delete', name, clTrid, () => {
        this.held.delete(name)
        return null
      }),
    restore: async (name, clTrid) => this.#transform('restore', name, clTrid, () => null),
    reportRestore: async (name, _report, clTrid) => this.#transform('report', name, clTrid, () => null),
  }

  readonly contacts: Registry['contacts'] = {
    create: async ({ id }, _authInfo, clTrid) =>
      this.#transform('contact', id, clTrid, () => {
        if (this.contactIds.has(id)) return refused(2302, 'Object exists')
        this.contactIds.add(id)
        return null
      }),
    info: async () => refused(2303, 'Object does not exist'),
    update: async ({ id }, clTrid) => this.#transform('update_contact', id, clTrid, () => null),
    delete: async (id, clTrid) =>
      this.#transform('delete_contact', id, clTrid, () => {
        this.contactIds.delete(id)
        return null
      }),
  }

  readonly hosts: Registry['hosts'] = {
    create: async ({ name, addresses }, clTrid) =>
      this.#transform('host', name, clTrid, () => {
        if (this.hostAddresses.has(name)) return refused(2302, 'Object exists')
        this.hostAddresses.set(name, addresses)
        return null
      }),
    info: async (name) => {
      const addresses = this.hostAddresses.get(name)
      if (addresses === undefined) return refused(2303, 'Object does not exist')
      return done({ name, addresses, roid: `H-${name}`, statuses: ['ok'], sponsor: this.registrarId })
    },
    update: async (name, { addresses }, clTrid) =>
      this.#transform('host', name, clTrid, () => {
        this.hostAddresses.set(name, applied(this.hostAddresses.get(name) ?? [], addresses))
        return null
      }),
    delete: async (name, clTrid) => this.#transform('host', name, clTrid, () => null),
  }

  readonly messages: Registry['messages'] = {
    next: async () => done(this.queue[0] ?? null),
    acknowledge: async (id) => {
      if (this.queue[0]?.id !== id) return refused(2303, 'Object does not exist')
      this.queue.shift()
      return done(null)
    },
    listen: (take) => {
      let isClosed = false
      const run = async (): Promise<void> => {
        while (!isClosed) {
          const [message] = this.queue
          if (message === undefined) await new Promise((resolve) => setTimeout(resolve, 10))
          else
            await take(message).then(
              () => void this.queue.shift(),
              () => undefined,
            )
        }
      }
      const running = run()
      return {
        close: async () => {
          isClosed = true
          await running
        },
      }
    },
  }

  #now(): number {
    return Date.now() + this.aheadMs
  }

  #fees(name: string, years: number): DomainCheck['fees'] {
    const fee = this.premium.get(name)
    const money: Money | null = fee === undefined ? null : { amount: (Number(fee) * years).toFixed(2), currency: 'NGN' }
    return { create: money, renew: money, transfer: money, restore: money }
  }

  #newInfo(
    name: string,
    about: Pick<DomainInfo, 'sponsor' | 'statuses' | 'nameservers' | 'expiresAt' | 'registrant'>,
  ): DomainInfo {
    return {
      name,
      roid: `D-${name}`,
      graceStatuses: [],
      contacts: [],
      subordinateHosts: [],
      dsRecords: [],
      createdAt: new Date(this.#now()),
      updatedAt: null,
      transferredAt: null,
      authInfo: null,
      ...about,
    }
  }

  #transfer(name: string, status: Transfer['status'], requestedBy: string): Transfer {
    const at = this.#now()
    const [requestedAt, actBy] = [new Date(at), new Date(at + 5 * 86_400_000)]
    return { name, status, requestedBy, requestedAt, actor: 'other', actBy, expiresAt: null }
  }

  async #answerTransfer(name: string, clTrid: string, status: Transfer['status']): Promise<Outcome<Transfer>> {
    return this.#transform('answer_transfer', name, clTrid, () => {
      const held = this.held.get(name)
      if (held?.transfer?.status !== 'pending') return refused(2301, 'Object not pending transfer')
      held.transfer = { ...held.transfer, status }
      if (status === 'clientApproved') held.info = { ...held.info, sponsor: held.transfer.requestedBy }
      held.info = { ...held.info, statuses: ['ok'] }
      return held.transfer
    })
  }

  /** Another registrar asks for a domain of ours. */
  askFor(name: string): void {
    const held = this.held.get(name)
    if (held === undefined) throw new Error(`there is no ${name}`)
    held.transfer = this.#transfer(name, 'pending', 'other')
    held.info = { ...held.info, statuses: ['pendingTransfer'] }
    this.#tell({ kind: 'transfer', transfer: held.transfer })
  }

  #own(name: string): Held | ReturnType<typeof refused> {
    const held = this.held.get(name)
    if (held === undefined) return refused(2303, 'Object does not exist')
    return held.info.sponsor === this.registrarId ? held : refused(2201, 'Authorization error')
  }

  #tell(news: RegistryMessage['news']): void {
    this.queue.push({ id: String(++this.#messages), queuedAt: new Date(this.#now()), text: news.kind, news })
  }

  #mishap(command: string): Mishap | undefined {
    return this.#mishaps.get(command)?.shift()
  }

  async #asked<T>(command: string, answer: () => T | ReturnType<typeof refused>): Promise<Reading<T>> {
    const mishap = this.#mishap(command)
    if (mishap !== undefined) return failure(mishap)
    const value = answer()
    return isRefusal(value) ? value : done(value)
  }

  async #transform<T>(
    command: string,
    object: string,
    clTrid: string,
    act: () => T | ReturnType<typeof refused>,
  ): Promise<Outcome<T>> {
    const mishap = this.#mishap(command)
    if (mishap === 'pending') {
      this.#decisions.set(object, { clTrid, act: () => void this.#act(command, object, act) })
      return { kind: 'pending', value: null, reply: reply(1001, 'Command completed successfully; action pending') }
    }
    if (mishap !== undefined && mishap !== 'answer_lost') return failure(mishap)
    const value = this.#act(command, object, act)
    if (mishap === 'answer_lost') return failure(mishap)
    return isRefusal(value) ? value : done(value)
  }

  #act<T>(command: string, object: string, act: () => T): T {
    const value = act()
    if (!isRefusal(value)) this.transforms.push(`${command} ${object}`)
    return value
  }
}

function reply(code: number, message: string): RegistryReply {
  return { code, message, svTrid: 'SV-1' }
}

function done<T>(value: T) {
  return { kind: 'done', value, reply: reply(1000, 'Command completed successfully') } as const
}

function refused(code: number, message: string) {
  return { kind: 'refused', reply: reply(code, message) } as const
}

function isRefusal(value: unknown): value is ReturnType<typeof refused> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused'
}

type Failure =
  | ReturnType<typeof refused>
  | Fault
  | { kind: 'not_sent'; why: string }
  | { kind: 'unknown'; why: string; reply: null }

function failure(mishap: Mishap): Failure {
  if (mishap === 'not_sent') return { kind: 'not_sent', why: 'no session could be had' }
  if (mishap === 'balance') return { kind: 'fault', fault: 'balance', reply: reply(2104, 'Billing failure') }
  if (typeof mishap === 'object') return refused(mishap.refuse, mishap.message)
  return { kind: 'unknown', why: 'the connection closed before the answer', reply: null }
}

function applied<T>(
  now: readonly T[],
  change: { readonly add: readonly T[]; readonly remove: readonly T[] } | undefined,
): T[] {
  if (change === undefined) return [...now]
  return [...now.filter((each) => !change.remove.includes(each)), ...change.add]
}
