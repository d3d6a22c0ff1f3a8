import assert from 'node:assert/strict'
import { addRegistered, noteRenewal } from '#modules/domains/bring-domain.ts'
import { claimedChanges } from '#modules/domains/default-lock.ts'
import type { Wish } from '#modules/domains/domain-change.ts'
import { claimChanges, claimLooks } from '#modules/domains/domain-worker.ts'
import { decideChange, restoreDomain, retryDomain } from '#modules/domains/operator.ts'
import { startChange } from '#modules/domains/start-change.ts'
import { type SyncWork, syncDomain } from '#modules/domains/sync-domain.ts'
import { takeRegistryNews } from '#modules/domains/take-news.ts'
import { newAuthCode, newContactId } from '#modules/registry-commands/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Database, sql } from '#platform/postgres/index.ts'
import { crossed } from './crossed.ts'
import { DomainChecks } from './domain-invariants.ts'
import { Doom, Killed } from './doom.ts'
import { testContact } from './test-contact.ts'
import { type CommandMishap, type ReadMishap, TrialRegistry, type TrialRegistrySetup } from './trial-registry.ts'

/** What others do to the domain at the registry. */
export type Outside =
  | 'lock'
  | 'unlock'
  | 'nameservers'
  | 'sign'
  | 'registrant'
  | 'ask_transfer'
  | 'cancel_transfer'
  | 'end_transfer'
  | 'delete'
  | 'purge'
  | 'leave'

/** What happens while a worker waits for the registry, in its n-th request or, with 0, in each: time passes, and another worker runs. */
export interface Company {
  readonly at: number
  /** It happens once the registry's answer is on its way. */
  readonly isLate: boolean
  readonly seconds: number
  /** What happens before the other worker runs. `retry`: an operator runs the next step now. `change`: an owner requests another change. */
  readonly outside: Outside | 'renewal' | 'retry' | 'change' | null
  /** The wait at which the other worker is killed; 0: never. */
  readonly killAt: number
}

/** One action of an owner, an operator, the registry, time or a kill on a domain. */
export type Deed =
  | {
      readonly do: 'change'
      readonly kind: Wish['kind']
      readonly variant: number
      readonly killAt: number
      readonly company: Company | null
    }
  | { readonly do: 'work'; readonly killAt: number; readonly company: Company | null }
  | { readonly do: 'time'; readonly seconds: number }
  | { readonly do: 'mishap'; readonly mishaps: readonly (CommandMishap | null)[] }
  | { readonly do: 'misread'; readonly mishaps: readonly (ReadMishap | null)[] }
  | { readonly do: 'decide'; readonly isDone: boolean }
  | { readonly do: 'news' }
  | { readonly do: 'outside'; readonly what: Outside }
  | { readonly do: 'operator'; readonly what: 'done' | 'refused' | 'retry' }
  /** If the domain is gone, it is registered here again. */
  | { readonly do: 'register_again' }
  /** Two concurrent actions: the second begins just before transaction `commit` (from 1) of the first commits. */
  | { readonly do: 'at_once'; readonly first: Racer; readonly commit: number; readonly second: Racer }

/** The actions that can run concurrently with another one. */
export type Racer = Extract<Deed, { do: 'change' | 'work' | 'operator' | 'news' }>

/** The database and the parts of the service that a trial uses. Trials that share them run one after the other. */
export interface DomainGround {
  readonly work: Omit<SyncWork, 'registries'>
  /** The same database, as another process has it. */
  readonly elsewhere: Database
  readonly accountId: string
  readonly managerId: string
}

const owner: Actor = actorNamed('system', 'owner')
const operator: Actor = actorNamed('operator', 'operator')

/** `isNew`: the default lock is not set yet. */
export type DomainTrialSetup = TrialRegistrySetup & { readonly isNew: boolean }

let trials = 0
let calls = 0

/** One domain of an account, and everything that happens to it. */
export class DomainTrial {
  readonly ground: DomainGround
  readonly name: string
  readonly registry: TrialRegistry
  readonly checks: DomainChecks
  readonly #isNew: boolean
  #passedS = 0
  #isBeside = false

  private constructor(ground: DomainGround, name: string, { isNew, ...setup }: DomainTrialSetup) {
    this.ground = ground
    this.name = name
    this.#isNew = isNew
    this.registry = new TrialRegistry(name, setup)
    this.registry.nowS = () => performance.now() / 1000 + this.#passedS
    this.checks = new DomainChecks(ground.work.database.db, this.registry)
    this.registry.onCommand = (clTrid, text) => this.checks.checkRepeat(clTrid, text)
    this.#watch(null)
  }

  static async make(ground: DomainGround, setup: DomainTrialSetup): Promise<DomainTrial> {
    const trial = new DomainTrial(ground, `trial-${++trials}.test`, setup)
    await forgetTrials(ground)
    await trial.#take()
    return trial
  }

  /** Performs an action, and then checks everything that must hold at all times. */
  async perform(deed: Deed): Promise<void> {
    this.checks.begin(false)
    await this.#perform(deed)
    await this.checks.check()
  }

  async #perform(deed: Deed, database = this.ground.work.database): Promise<void> {
    switch (deed.do) {
      case 'change':
        return deed.kind === 'restore' ? this.#askRestore(database) : this.#change(deed, database)
      case 'work':
        return this.#work(deed, database)
      case 'time':
        return this.#letTimePass(deed.seconds)
      case 'mishap':
        this.registry.mishaps.push(...deed.mishaps)
        return
      case 'misread':
        this.registry.readMishaps.push(...deed.mishaps)
        return
      case 'decide':
        this.registry.decide(deed.isDone)
        return
      case 'news':
        return this.#tellNews(database)
      case 'outside':
        return this.#outside(deed.what)
      case 'operator':
        return this.#operate(deed.what, database)
      case 'register_again':
        if (await this.checks.isHeld()) return
        this.registry.register()
        return this.#take()
      case 'at_once':
        return this.#atOnce(deed)
    }
  }

  /** Finally, everyone does what is due: the registry answers and decides, time passes, and workers survive. */
  async end(isPurged: boolean): Promise<void> {
    const { registry } = this
    registry.mishaps.length = 0
    registry.readMishaps.length = 0
    for (let round = 0; round < 60; round++) {
      this.checks.begin(false)
      registry.decide(true)
      if (registry.domain?.transfer?.status === 'pending') registry.endTransfer(false)
      // A registry restores a domain, or deletes it permanently.
      if (registry.domain?.isDeleted && round % 3 === 0) this.#outside(isPurged ? 'purge' : 'undelete')
      await this.#letTimePass(round % 3 === 1 ? 3_700 : 100_000)
      await this.#work({ killAt: 0, company: null }, this.ground.work.database)
      await this.checks.check()
      if (round % 3 === 2 && (await this.checks.isOver())) return this.checks.checkEnd()
    }
    assert.fail(`a change is forgotten, or does not end: ${JSON.stringify(await this.checks.readChanges())}`)
  }

  /** Gives the domain to the account, with a manager, as after a registration. */
  async #take(): Promise<void> {
    const { accountId, managerId, work } = this.ground
    const { registrant, expiresAt, nameservers, statuses } = this.registry.info()
    await work.database.transact(async (tx) => {
      const { id } = await addRegistered(tx, async () => undefined, actorNamed('system', 'test'), {
        name: this.name,
        tld: 'test',
        accountId,
        orderId: 'ord_1',
        contact: null,
        registrantId: registrant,
        autoRenew: false,
        expiresAt,
        nameservers,
      })
      await sql`insert into domain_managers (domain_id, account_id) values (${id}, ${managerId})`.execute(tx)
      await sql`update domains set statuses = ${[...statuses]} where id = ${id}`.execute(tx)
      if (!this.#isNew) await sql`delete from domain_acts where domain_id = ${id}`.execute(tx)
    })
    this.checks.startAgain()
  }

  /** An owner's call. It returns when the change is done, or is known to take longer. */
  async #change(
    { kind, variant, killAt, company }: Extract<Deed, { do: 'change' }>,
    database: Database,
    isCrossed = false,
  ): Promise<void> {
    const work = this.#workWith(database, new Doom(killAt))
    const wish = await this.#wishOf(kind as Exclude<Wish['kind'], 'restore'>, variant)
    const secret = kind === 'transfer_code' || kind === 'contacts' ? newAuthCode() : undefined
    const requestId = `call-${++calls}`
    const outcome = await this.#watched(company, () =>
      startChange(work, {
        name: this.name,
        actor: { ...owner, requestId },
        wish,
        ...(secret !== undefined && { secret }),
        ...((kind === 'unlock' || kind === 'transfer_code') && { permit: (tx) => this.checks.usePermit(tx) }),
      }).catch((error: unknown) => {
        if (error instanceof Refusal || error instanceof Killed) return error
        throw error
      }),
    )
    if (outcome instanceof Killed) return
    await this.checks.checkAnswer(requestId, outcome, company !== null || isCrossed)
    // In the meantime, another change may have set another secret.
    if (outcome === 'done' && secret !== undefined && !isCrossed && company?.outside !== 'change')
      this.checks.checkSecret(kind, secret)
  }

  /** The first one waits while the second one runs to its end. A killed one leaves its state unchanged. */
  async #atOnce({ first, commit, second }: Extract<Deed, { do: 'at_once' }>): Promise<void> {
    const { elsewhere, work } = this.ground
    await crossed(
      { database: elsewhere, other: work.database, number: commit },
      (database) =>
        first.do === 'change' && first.kind !== 'restore'
          ? this.#change(first, database, true)
          : this.#perform(first, database),
      () => {
        this.checks.rest()
        return this.#perform(second)
      },
    )
  }

  async #wishOf(kind: Exclude<Wish['kind'], 'restore'>, variant: number): Promise<Wish> {
    if (kind === 'nameservers') return { kind, ...this.#nameservers(variant) }
    if (kind !== 'contacts') return { kind }
    const { extra: _, address1, postal_code: postalCode, ...contact } = testContact
    return {
      kind,
      contact: { ...contact, address1, address2: '', postalCode, extra: {}, name: `Person ${variant}` } as never,
      registrantId: newContactId(),
      formerId: (await this.checks.registrantHere()) ?? null,
    }
  }

  #nameservers(variant: number): Omit<Extract<Wish, { kind: 'nameservers' }>, 'kind'> {
    const own = [`ns1.${this.name}`, `ns2.${this.name}`] as const
    const at = (name: string, address: string) => ({ name, addresses: [address] })
    const [elsewhere, other] = ['ns1.example.net', 'ns2.example.net']
    const choices = [
      { nameservers: [elsewhere, other], hosts: [] },
      { nameservers: ['ns1.zonewright.test', 'ns2.zonewright.test'], hosts: [], isUnsigned: true },
      { nameservers: [own[0], elsewhere], hosts: [at(own[0], '192.0.2.1')] },
      { nameservers: [own[0], elsewhere], hosts: [at(own[0], '192.0.2.2')], isUnsigned: true },
      { nameservers: [...own], hosts: [at(own[0], '192.0.2.1'), at(own[1], '192.0.2.3')] },
      // Refused, by the registry or before. Until then, updates are allowed and DS records removed.
      { nameservers: ['ns1.nobody.test', elsewhere], hosts: [], isUnsigned: true },
      { nameservers: [own[1], elsewhere], hosts: [] },
    ]
    const { isUnsigned = false, ...chosen } = choices[variant % choices.length] ?? assert.fail()
    return { ...chosen, isUnsigned }
  }

  async #askRestore(database: Database): Promise<void> {
    await refusable(() => database.transact((tx) => restoreDomain(tx, operator, this.name, 'It was renewed too late.')))
  }

  async #operate(what: 'done' | 'refused' | 'retry', database: Database): Promise<void> {
    await refusable(() =>
      database.transact(async (tx) => {
        if (what === 'retry') return await retryDomain(tx, operator, this.name)
        await decideChange(tx, operator, this.name, { isDone: what === 'done', reason: 'by telephone' })
        return await this.checks.noteDecided(tx)
      }),
    )
  }

  async #tellNews(database: Database): Promise<void> {
    const news = { kind: 'decided' as const, domain: this.name, wasDone: true, clTrid: null, at: new Date() }
    await takeRegistryNews({ ...this.ground.work, database }, { id: 'hint', queuedAt: null, text: 'A hint', news })
  }

  /** Processes everything that is due, as a worker does. If killed at that wait, it leaves its state unchanged. */
  async #work({ killAt, company }: Omit<Extract<Deed, { do: 'work' }>, 'do'>, database: Database): Promise<void> {
    await this.#watched(company, () => this.#workUntilKilled(database, new Doom(killAt)))
  }

  async #workUntilKilled(database: Database, doom: Doom): Promise<void> {
    await this.#workUntilIdle(this.#workWith(database, doom)).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
  }

  async #workUntilIdle(work: SyncWork): Promise<void> {
    for (let rounds = 0; rounds < 20; rounds++) {
      const changes = await claimChanges(work, 50)
      const advance = claimedChanges(work)
      for (const change of changes) await advance(change)
      const looks = await claimLooks(work, 50)
      for (const domain of looks) await syncDomain(work, domain)
      if (changes.length + looks.length === 0) return
    }
    assert.fail(`workers do not come to rest: ${JSON.stringify(await this.checks.readChanges())}`)
  }

  #workWith(database: Database, doom: Doom): SyncWork {
    const { work } = this.ground
    return { ...work, database: doom.database(database), registries: doom.port(this.registry.registries) }
  }

  /** Does the work with these concurrent events. */
  async #watched<T>(company: Company | null, work: () => Promise<T>): Promise<T> {
    const { onRequest, onAnswer } = this.registry
    this.#watch(company)
    try {
      return await work()
    } finally {
      Object.assign(this.registry, { onRequest, onAnswer })
    }
  }

  /** Checks each request to the registry when it arrives, and performs what happens in the meantime. */
  #watch(company: Company | null): void {
    const { registry } = this
    let requests = 0
    const meanwhile = async (clTrid: string | null, isLate: boolean): Promise<void> => {
      if (company?.isLate !== isLate || this.#isBeside) return
      const isIt = ++requests === company.at || (company.at === 0 && requests <= 12)
      if (isIt) await this.#keepCompany(company, clTrid)
    }
    registry.onRequest = async (clTrid) => {
      if (clTrid !== null) await this.checks.checkCommand(clTrid)
      await meanwhile(clTrid, false)
    }
    registry.onAnswer = (clTrid) => meanwhile(clTrid, true)
  }

  async #keepCompany({ seconds, outside, killAt }: Company, clTrid: string | null): Promise<void> {
    this.#isBeside = true
    this.checks.begin(true)
    try {
      // A worker's time limit for a command is shorter than its lease of the change.
      await this.#letTimePass(clTrid === null ? seconds : Math.min(seconds, 110))
      await this.#befall(outside)
      await this.#workUntilKilled(this.ground.work.database, new Doom(killAt))
    } finally {
      this.#isBeside = false
    }
  }

  async #befall(what: Company['outside']): Promise<void> {
    const { database } = this.ground.work
    if (what === 'renewal') return this.#renew()
    if (what === 'retry') return this.#operate('retry', database)
    if (what === 'change')
      return this.#change({ do: 'change', kind: 'lock', variant: 0, killAt: 0, company: null }, database, true)
    if (what !== null) this.#outside(what)
  }

  /** An order renews the domain. */
  async #renew(): Promise<void> {
    const { domain } = this.registry
    const { accountId, work } = this.ground
    if (domain === undefined || !this.registry.isOurs || domain.isDeleted || !(await this.checks.isHeld())) return
    domain.expiresAt = new Date(domain.expiresAt.getTime() + 365 * 86_400_000)
    const { name } = this
    await work.database.transact((tx) =>
      noteRenewal(tx, owner, { accountId, name, expiresAt: domain.expiresAt, reckoned: null }),
    )
    this.checks.renewedUntil = domain.expiresAt
  }

  #outside(what: Outside | 'undelete'): void {
    const { registry } = this
    const { domain } = registry
    if (domain === undefined || !registry.isOurs) return
    registry.touches++
    this.checks.touch()
    switch (what) {
      case 'lock':
        domain.clientStatuses = new Set([
          'clientTransferProhibited',
          'clientUpdateProhibited',
          'clientDeleteProhibited',
        ] as const)
        return
      case 'unlock':
        domain.clientStatuses.clear()
        return
      case 'nameservers':
        domain.nameservers = new Set(['ns8.example.org', 'ns9.example.org'])
        return
      case 'sign':
        domain.isSigned = true
        return
      case 'registrant':
        registry.contacts.add('SOMEBODY')
        domain.registrant = 'SOMEBODY'
        return
      case 'ask_transfer':
        registry.askTransfer()
        return
      case 'cancel_transfer':
        registry.endTransfer(false)
        return
      case 'end_transfer':
        registry.endTransfer(true)
        return
      case 'delete':
        if (domain.isDeleted || domain.pending !== null || domain.isTransferPending) return
        domain.isDeleted = true
        domain.grace = 'redemptionPeriod'
        registry.restores = 0
        return
      case 'undelete':
        domain.isDeleted = false
        domain.grace = null
        return
      case 'purge':
        if (domain.isDeleted) registry.domain = undefined
        return
      case 'leave':
        domain.sponsor = 'rival'
        domain.pending = null
        return
    }
  }

  /** Lets this much time pass for the domain and its changes: their past times move back, and their due times come sooner. */
  async #letTimePass(seconds: number): Promise<void> {
    this.#passedS += seconds
    this.checks.rest()
    const by = sql`make_interval(secs => ${seconds})`
    await sql`
      with acts as (update domain_acts set due_at = due_at - ${by}, lease_until = lease_until - ${by}, created_at = created_at - ${by})
      update domains set sync_at = sync_at - ${by}, missing_since = missing_since - ${by} where name = ${this.name}`.execute(
      this.ground.work.database.db,
    )
  }
}

async function forgetTrials({ work }: DomainGround): Promise<void> {
  for (const table of ['registry_commands', 'domain_acts', 'domain_managers', 'domains', 'trial_permits'])
    await sql`delete from ${sql.table(table)}`.execute(work.database.db)
}

/** Runs work that may be refused with one of the API's errors. */
async function refusable(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}
