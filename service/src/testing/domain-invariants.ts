import assert from 'node:assert/strict'
import { isDefaultLock, isUnattended, type Wish } from '#modules/domains/domain-change.ts'
import { Refusal } from '#platform/errors.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { contactsOf, type TrialRegistry } from './trial-registry.ts'

/*
 * The invariants of domain changes (those of modules/domains/README.md that a test can check).
 *
 * When a command arrives at the registry:
 *  1. It was recorded before it was sent, for a change that is open, of the domain that the account has now.
 *  2. No other command about the domain is on its way, or has an outcome that is not known yet.
 *  3. The registry was asked about the domain since the last command that got no answer.
 *  4. The registry has not already executed the same command of the same change, unless someone else has undone it since then.
 *  5. A registry that does not respond gets at most two commands.
 *
 * After each action:
 *  6. At most one change of a domain is open. It is due within some hours, and the outcome of at most one of its commands is open.
 *  7. A change that is done has taken effect at the registry, and the domain's row agrees. A dropped change has changed nothing there.
 *  8. The answer to the caller agrees with the change. A refusal says why. Each change that needs a code uses one up, and no other does.
 *  9. Only a lock or an unlock that was not refused changes the lock.
 * 10. The audit log has one entry for each change that was made, and none for any other.
 * 11. A change ends only once the registry has decided, unless an operator ends it. Then it keeps no secret, no contact and no open command.
 * 12. A restore is charged once. A renewal is not undone by the end of a change.
 * 13. A domain is gone only if the registry no longer has it, or has reported twice, an hour apart, that it does not know it. Then no one manages it.
 *
 * In the end, when the registry answers and time passes:
 * 14. Every change has ended, and the domain's row is what the registry has.
 */

interface Operation {
  readonly command: string
  readonly state: string
  readonly clTrid: string
}

export interface TrialChange {
  readonly id: number
  readonly domainId: number
  readonly kind: Wish['kind']
  readonly state: 'open' | 'done' | 'refused' | 'dropped'
  readonly wish: Wish
  readonly hasSecret: boolean
  /** The id of the call that requested it. */
  readonly requestId: string | null
  readonly failure: { readonly message: string } | null
  readonly dueInS: number
  readonly operations: readonly Operation[]
}

interface DomainRow {
  readonly id: number
  readonly state: string
  readonly statuses: string[]
  readonly graceStatuses: string[]
  readonly nameservers: string[]
  readonly registrantId: string | null
  readonly holder: string | null
  readonly expiresAt: Date | null
  readonly transferOut: unknown
  readonly isLookDue: boolean
  readonly managers: number
}

const auditActions: Readonly<Record<Wish['kind'], string>> = {
  nameservers: 'domain.nameservers_changed',
  lock: 'domain.locked',
  unlock: 'domain.unlocked',
  contacts: 'domain.contacts_changed',
  transfer_code: 'domain.transfer_code_shown',
  approve_transfer: 'domain.transfer_approved',
  reject_transfer: 'domain.transfer_rejected',
  restore: 'domain.restored',
}
const counted = [...Object.values(auditActions), 'domain.ds_removed', 'domain.restore_refused', 'domain.lock_refused']
const lock = ['clientDeleteProhibited', 'clientTransferProhibited', 'clientUpdateProhibited']
const openStates = ['sending', 'unknown', 'pending']

/** Indexes that only trials need. Without them, each check would read the rows of all previous trials. */
export async function indexForDomainTrials(db: Db): Promise<void> {
  await sql`create index on audit_log (domain)`.execute(db)
  await sql`create table trial_permits (used_at timestamptz not null default now())`.execute(db)
}

/** The lock after a lock or an unlock. A default lock adds to the existing statuses. */
function lockAfter(change: Pick<TrialChange, 'kind' | 'wish'>, before: readonly string[]): string[] {
  if (change.kind === 'unlock') return []
  return isDefaultLock(change) ? [...new Set([...before, 'clientTransferProhibited'])].sort() : lock
}

/** Checks one domain's changes. Every failed check rejects. */
export class DomainChecks {
  readonly #db: Db
  readonly #registry: TrialRegistry
  readonly #decided = new Set<number>()
  readonly #ended = new Set<number>()
  readonly #gone = new Set<number>()
  /** The outcomes of ended changes, as kind and state. */
  readonly ends: string[] = []
  #audited = new Map<string, number>()
  /** Commands since time last passed, with their change. */
  #inOneGo: { readonly change: number; readonly clTrid: string }[] = []
  /** The lock before the changes that are not checked yet. */
  #lock: string[] = []
  /** Whether someone else has changed the domain: since the lock was recorded, and in this step. */
  #isTouched = true
  #isTouchedNow = false
  /** The domain is gone here because the registry has reported twice, an hour apart, that it does not have it. */
  #isDenied = false
  renewedUntil: Date | undefined

  constructor(db: Db, registry: TrialRegistry) {
    this.#db = db
    this.#registry = registry
  }

  /** An action begins, or something concurrent with it. */
  begin(isBeside: boolean): void {
    if (!isBeside) this.#isTouchedNow = false
    this.rest()
  }

  /** Time has passed, so more commands may be sent to a registry that does not respond. */
  rest(): void {
    this.#inOneGo = []
  }

  /** Someone else has changed the domain. */
  touch(): void {
    this.#isTouched = true
    this.#isTouchedNow = true
  }

  /** The name is a new domain here. */
  startAgain(): void {
    this.#lock = this.#registry.lockStatuses()
    this.#isTouched = false
    this.#isDenied = false
    this.renewedUntil = undefined
  }

  async usePermit(tx: Tx): Promise<void> {
    await sql`insert into trial_permits default values`.execute(tx)
  }

  /** An operator has ended the open change. */
  async noteDecided(tx: Tx): Promise<void> {
    const { rows } = await sql<{ id: number }>`select max(id) as id from domain_acts`.execute(tx)
    this.#decided.add(Number(rows[0]?.id))
  }

  async isHeld(): Promise<boolean> {
    return (await this.#row()).state === 'held'
  }

  async isOver(): Promise<boolean> {
    return (await this.readChanges()).every(({ state }) => state !== 'open')
  }

  async registrantHere(): Promise<string | null> {
    return (await this.#row()).registrantId
  }

  async readChanges(): Promise<TrialChange[]> {
    const { rows } = await sql<TrialChange>`
      select a.id, a.domain_id as "domainId", a.kind, a.state, a.wish, a.secret is not null as "hasSecret", a.actor->>'requestId' as "requestId",
        a.failure,
        extract(epoch from a.due_at - app_now())::float8 as "dueInS",
        coalesce((select jsonb_agg(jsonb_build_object('command', o.command, 'state', o.state, 'clTrid', o.cl_trid) order by o.id)
          from registry_commands o where o.change_id = a.id), '[]') as operations
      from domain_acts a order by a.id`.execute(this.#db)
    return rows
  }

  /** A command has arrived at the registry, which has not executed it yet. */
  async checkCommand(clTrid: string): Promise<void> {
    const changes = await this.readChanges()
    const change = changes.find(({ operations }) => operations.some((each) => each.clTrid === clTrid))
    assert.ok(change, 'a command was sent that nobody has recorded')
    // An operator may end a change whose next command is recorded and about to be sent.
    if (this.#decided.has(change.id)) return
    const about = JSON.stringify(change)
    const [operation] = change.operations.filter((each) => each.clTrid === clTrid)
    assert.deepEqual([change.state, operation?.state], ['open', 'sending'], `a command was sent that is over: ${about}`)
    const row = await this.#row()
    assert.deepEqual([row.id, row.state], [change.domainId, 'held'], `a command for a domain that is gone: ${about}`)
    const others = changes
      .flatMap(({ operations }) => operations)
      .filter((each) => each.clTrid !== clTrid && openStates.includes(each.state))
    assert.deepEqual(others, [], `a command was sent before another one's end was known: ${about}`)
    const { seen } = this.#registry
    assert.ok(!this.#registry.isInDoubt, `a command was sent though nobody had looked for the last one: ${about}`)
    this.#inOneGo.push({ change: change.id, clTrid })
    const doubted = this.#inOneGo.filter(
      (each) => each.change === change.id && seen.some((one) => one.clTrid === each.clTrid && one.isDoubted),
    )
    assert.ok(doubted.length < 2, `a registry that gives no answer is pressed: ${about}`)
  }

  /** The same check, once the registry knows what the command requests. */
  async checkRepeat(clTrid: string, text: string): Promise<void> {
    const { seen, touches, showsCode } = this.#registry
    const same = seen.filter(
      (each) => each.text === text && each.isExecuted && !each.isLate && each.touches === touches,
    )
    // The service does not look up a code that the registry does not show, nor the former contact. Setting the same code again, or deleting
    // a deleted contact, does no harm.
    const isHarmless = (text.includes('authInfo') && !showsCode) || text.startsWith('contact:delete')
    if (same.length === 0 || isHarmless) return
    const change = (await this.readChanges()).find(({ operations }) =>
      operations.some((each) => each.clTrid === clTrid),
    )
    const repeated = change?.operations.find((each) => same.some((one) => one.clTrid === each.clTrid))
    assert.equal(
      repeated,
      undefined,
      `a command was sent again that had been carried out: ${text} ${JSON.stringify(change)}`,
    )
  }

  /** Checks the answer to an owner's call. */
  async checkAnswer(requestId: string, outcome: 'done' | 'pending' | Refusal, hadCompany: boolean): Promise<void> {
    const mine = (await this.readChanges()).find((change) => change.requestId === requestId)
    const told = outcome instanceof Refusal ? `${outcome.code}: ${outcome.message}` : outcome
    const about = `the caller was told ${told}, of ${JSON.stringify(mine)}`
    if (outcome === 'done') assert.equal(mine?.state, 'done', about)
    else if (outcome === 'pending')
      assert.ok(hadCompany || mine?.operations.some(({ state }) => state === 'pending'), about)
    else if (outcome.message.includes('Nothing was changed')) assert.equal(mine?.state, 'dropped', about)
    else if (outcome.message.includes('continue automatically')) assert.ok(hadCompany || mine?.state === 'open', about)
    else if (mine === undefined)
      assert.ok(['conflict', 'not_found', 'registry_unavailable'].includes(outcome.code), about)
    else {
      assert.equal(mine.state, 'refused', about)
      if (mine.failure !== null) assert.equal(mine.failure.message, outcome.message, about)
      assert.ok(outcome.message.length > 20, about)
    }
  }

  /** Checks the secret of a change that was reported as done to its caller. */
  checkSecret(kind: string, secret: string): void {
    if (kind === 'transfer_code' && !this.#isTouchedNow)
      assert.equal(
        this.#registry.domain?.authInfo,
        secret,
        'the transfer code that was shown is not the one that is set',
      )
  }

  /** Checks everything that must hold at all times. */
  async check(): Promise<void> {
    const [changes, row] = [await this.readChanges(), await this.#row()]
    const about = JSON.stringify({ changes, row, registry: this.#registry.domain })
    const open = changes.filter(({ state }) => state === 'open')
    assert.ok(open.length <= 1, `two changes are open: ${about}`)
    for (const change of open) assert.ok(change.dueInS < 2 * 3_600, `a change waits too long: ${about}`)
    for (const { state, operations } of changes) {
      const unsettled = operations.filter((each) => openStates.includes(each.state)).length
      assert.ok(unsettled <= (state === 'open' ? 1 : 0), `a command has no end: ${about}`)
    }
    assert.ok(this.#registry.restores <= 1, `a restore was charged twice: ${about}`)
    if (row.state === 'held' && this.renewedUntil !== undefined)
      assert.equal(row.expiresAt?.getTime(), this.renewedUntil.getTime(), `a renewal was undone: ${about}`)
    const isGoneNow = row.state === 'gone' && !this.#gone.has(row.id)
    if (isGoneNow) this.#checkLeaving(row, about)
    const ended = changes.filter(({ id, state }) => state !== 'open' && !this.#ended.has(id))
    for (const change of ended) this.#checkEnded(change, about)
    const last = ended.at(-1)
    if (last?.state === 'done' && last === changes.at(-1) && !this.#decided.has(last.id))
      this.#checkDone(last, row, about)
    this.#checkLock(ended, open[0], row, about)
    await this.#checkAudit(ended, isGoneNow || row.state === 'gone' || !this.#registry.isOurs, about)
    const { rows } = await sql<{ used: number }>`select count(*)::int as used from trial_permits`.execute(this.#db)
    const needing = changes.filter(({ kind }) => kind === 'unlock' || kind === 'transfer_code').length
    assert.equal(rows[0]?.used, needing, `codes are used up for something else: ${about}`)
    for (const change of ended) {
      this.#ended.add(change.id)
      this.ends.push(`${isDefaultLock(change) ? 'default ' : ''}${change.kind} ${change.state}`)
    }
  }

  /** Checks what must hold in the end. */
  async checkEnd(): Promise<void> {
    const { domain, isOurs } = this.#registry
    const row = await this.#row()
    const about = JSON.stringify({ row, domain })
    assert.equal(
      row.state,
      isOurs && !this.#isDenied ? 'held' : 'gone',
      `the domain is here alone, or at the registry alone: ${about}`,
    )
    if (row.state === 'gone') return
    const { statuses, graceStatuses, nameservers, registrant, expiresAt } = this.#registry.info()
    assert.deepEqual(
      [row.statuses.toSorted(), row.graceStatuses, row.nameservers.toSorted(), row.registrantId, row.expiresAt],
      [statuses, graceStatuses, nameservers, registrant, expiresAt],
      `the row is not what the registry has: ${about}`,
    )
    assert.equal(row.transferOut, null, about)
  }

  #checkEnded(change: TrialChange, about: string): void {
    assert.ok(
      !change.hasSecret && !('contact' in change.wish),
      `a change that has ended keeps what is secret: ${about}`,
    )
    const { seen, showsCode } = this.#registry
    const isExecuted = seen.some(
      ({ clTrid, text, isExecuted, isLate }) =>
        isExecuted &&
        !isLate &&
        (showsCode || !text.includes('authInfo')) &&
        change.operations.some((each) => each.clTrid === clTrid),
    )
    const { undecided } = this.#registry
    const isUndecided = change.operations.some(({ clTrid }) => clTrid === undecided)
    assert.ok(
      !isUndecided || this.#decided.has(change.id) || !this.#registry.isOurs,
      `a change ended before the registry decided: ${about}`,
    )
    assert.ok(change.state !== 'dropped' || !isUnattended(change), `nobody learns that a change was dropped: ${about}`)
    if (change.state === 'dropped') assert.ok(!isExecuted, `a change was dropped of which something was done: ${about}`)
    if (change.state === 'done' && !this.#decided.has(change.id)) assert.equal(change.failure, null, about)
  }

  /** The requested change has taken effect, and the row agrees. */
  #checkDone(change: TrialChange, row: DomainRow, about: string): void {
    const { wish } = change
    const registry = this.#registry
    const { domain } = registry
    if (wish.kind === 'approve_transfer') {
      assert.notEqual(domain?.sponsor, 'zonewright', about)
      assert.ok(row.state === 'gone' || row.isLookDue, `nobody notices that the domain has left: ${about}`)
      return
    }
    if (this.#isTouchedNow || registry.hasLate || row.state === 'gone' || domain === undefined) return
    switch (wish.kind) {
      case 'nameservers': {
        const wanted = [...wish.nameservers].sort()
        assert.deepEqual([[...domain.nameservers].sort(), row.nameservers.toSorted()], [wanted, wanted], about)
        for (const { name, addresses } of wish.hosts)
          assert.deepEqual([...(registry.hosts.get(name) ?? [])].sort(), [...addresses].sort(), about)
        assert.ok(!wish.isUnsigned || !domain.isSigned, `it is still signed: ${about}`)
        return
      }
      case 'lock':
      case 'unlock': {
        const wanted = lockAfter(change, this.#lock)
        // A default lock is sent without a query. Until the next check, the row can also have statuses that were removed at the registry.
        const isKept = (status: string): boolean =>
          lock.includes(status) && (!isDefaultLock(change) || wanted.includes(status))
        assert.deepEqual([registry.lockStatuses(), row.statuses.filter(isKept).sort()], [wanted, wanted], about)
        return
      }
      case 'contacts': {
        const { registrantId } = wish
        assert.deepEqual([domain.registrant, row.registrantId], [registrantId, registrantId], about)
        const byRole = domain.contacts.toSorted((one, other) => one.type.localeCompare(other.type))
        const wanted = contactsOf(registrantId).toSorted((one, other) => one.type.localeCompare(other.type))
        assert.deepEqual(byRole, wanted, `a role has the former contact: ${about}`)
        assert.match(row.holder ?? '', /^Person/, `whom it is registered to is not kept: ${about}`)
        return
      }
      case 'restore':
        assert.ok(!domain.isDeleted, `it is not restored: ${about}`)
        return
      case 'reject_transfer':
        assert.match(domain.transfer?.status ?? '', /(Rejected|Cancelled)$/, about)
    }
  }

  /** Only changes of the lock itself change the lock. */
  #checkLock(ended: readonly TrialChange[], open: TrialChange | undefined, row: DomainRow, about: string): void {
    const registry = this.#registry
    for (const change of ended) {
      const { id, kind, state, operations } = change
      if (state === 'done' && (kind === 'lock' || kind === 'unlock')) this.#lock = lockAfter(change, this.#lock)
      // An operator has ended it between its commands, or it ended without effect before the registry executed a command without an answer.
      const isLate = registry.seen.some(
        (each) => each.isLate && operations.some(({ clTrid }) => clTrid === each.clTrid),
      )
      if (this.#decided.has(id) || (state !== 'done' && isLate)) this.#isTouched = true
    }
    // A default lock keeps what others have set or removed before it is executed.
    if (open !== undefined && isDefaultLock(open) && this.#isTouchedNow) this.#lock = registry.lockStatuses()
    if (open !== undefined) return
    if (row.state === 'held' && registry.isOurs && !this.#isTouched)
      assert.deepEqual(registry.lockStatuses(), this.#lock, `the lock is not as it was: ${about}`)
    this.#lock = registry.lockStatuses()
    this.#isTouched = registry.hasLate || registry.undecided !== undefined
  }

  #checkLeaving(row: DomainRow, about: string): void {
    this.#gone.add(row.id)
    assert.equal(row.managers, 0, `somebody manages a domain that is gone: ${about}`)
    if (!this.#registry.isOurs) return
    const { looks } = this.#registry
    const lastSeen = looks.findLastIndex(({ isSeen }) => isSeen)
    const absences = looks.slice(lastSeen + 1)
    const apartS = (absences.at(-1)?.atS ?? 0) - (absences[0]?.atS ?? 0)
    this.#isDenied = absences.length >= 2 && apartS > 3_590
    assert.ok(this.#isDenied || this.#isTouchedNow, `a domain is gone that the registry has: ${about}`)
  }

  async #checkAudit(ended: readonly TrialChange[], isGone: boolean, about: string): Promise<void> {
    const { rows } = await sql<{ action: string; entries: number }>`
      select action, count(*)::int as entries from audit_log where domain = ${this.#registry.name} group by action`.execute(
      this.#db,
    )
    const entries = new Map(rows.map((each) => [each.action, each.entries]))
    const expected: string[] = []
    for (const change of ended) {
      const { id, kind, state, failure, operations } = change
      if (this.#decided.has(id)) continue
      const isDone = (wanted?: string): boolean =>
        operations.some((each) => each.state === 'done' && (wanted === undefined || each.command === wanted))
      if (state === 'done' && isDone()) expected.push(auditActions[kind])
      if (state !== 'dropped' && isDone('remove_ds')) expected.push('domain.ds_removed')
      if (state === 'refused' && isUnattended(change)) expected.push(`domain.${kind}_refused`)
      assert.ok(failure === null || state === 'refused', about)
    }
    for (const action of counted) {
      const added = (entries.get(action) ?? 0) - (this.#audited.get(action) ?? 0)
      const wanted = expected.filter((each) => each === action).length
      assert.ok(
        added === wanted || (isGone && added < wanted && added >= 0),
        `the audit log has ${added} new entries of ${action}, not ${wanted}: ${about}`,
      )
    }
    const leavings = (entries.get('domain.transferred') ?? 0) + (entries.get('domain.deleted') ?? 0)
    assert.equal(leavings, this.#gone.size, `the audit log has ${leavings} leavings: ${about}`)
    this.#audited = entries
  }

  /** The most recent domain of the name. */
  async #row(): Promise<DomainRow> {
    const { rows } = await sql<DomainRow>`
      select id, state, statuses, grace_statuses as "graceStatuses", nameservers, registrant_id as "registrantId",
        contact->>'name' as holder, expires_at as "expiresAt", transfer_out as "transferOut",
        coalesce(sync_at <= app_now(), false) as "isLookDue",
        (select count(*)::int from domain_managers m where m.domain_id = d.id) as managers
      from domains d where name = ${this.#registry.name} order by id desc limit 1`.execute(this.#db)
    return rows[0] ?? assert.fail('the domain is not here')
  }
}
