import {
  type Answer,
  backOffS,
  type ChangeCommand,
  changeCommands,
  isDomainUpdate,
  isOpen,
  meaningOf,
  type RecordedCommand,
  sendCommand,
  settleCommand,
  waits,
} from '#modules/registry-commands/index.ts'
import { type Reading, type RegistryReply, sameId } from '#ports/registry.ts'
import { endChange, holdChange, leased, postponeChange, TakenOver } from './change-store.ts'
import {
  type ChangeWork,
  type ClaimedChange,
  type Failure,
  isDefaultLock,
  isUnattended,
  type Progress,
  type Sight,
  type Stand,
} from './domain-change.ts'
import { finishChange } from './finish-change.ts'
import { conflict, failureOf, nextStep, type Step } from './plan-change.ts'
import { readSight } from './read-sight.ts'
import { hurryDomain, lockDomain } from './store.ts'

/** `code`: the secret of the change, decrypted. */
type Begun = Stand & ChangeWork & { readonly change: { readonly code: string } }
type Seen = Begun & { readonly sight: Sight }
type Recorded = RecordedCommand<ChangeCommand>
/** A recorded command that was sent, and its answer. */
type Heard = { readonly step: Step; readonly operation: Recorded; readonly answer: Answer }
type State = Recorded['state']
type Delay = keyof typeof waits | 'unanswered'

/** After this many commands without an answer, a change waits before it continues. */
const mostDoubts = 2

/**
 * Sends the commands of a change until the change ends or must wait. Each command is recorded before it is sent, and its result afterwards,
 * in short transactions. No transaction is open while the registry is queried. If the result of a command is unknown, the command is looked
 * up before anything else is sent.
 *
 * The caller holds the lease of the change. `lock`: a default lock that was sent without a query. Never rejects because of what a registry does.
 */
export async function advanceChange(work: ChangeWork, claimed: ClaimedChange, lock?: Heard): Promise<Progress> {
  const { change, operations } = claimed
  const registry = work.registries.registryOf(change.name)
  const code = change.secret === null ? '' : work.secrets.open('domain_acts.secret', change.domainId, change.secret)
  const begun = { ...work, change: { ...change, code }, operations }
  try {
    if (registry !== undefined) return await advance({ ...begun, registry }, lock)
    return await delay(begun, {}, 'no registry is configured for a domain that has a pending change')
  } catch (error) {
    if (error instanceof TakenOver) return { end: 'later' }
    throw error
  }
}

async function advance(begun: Begun, lock: Heard | undefined): Promise<Progress> {
  let stand = lock === undefined ? begun : await hear(begun, lock)
  if ('end' in stand) return stand
  for (let doubts = 0; doubts < mostDoubts; ) {
    const seen = await look(stand)
    if ('end' in seen) return seen
    const next = nextStep(seen.change, seen.sight, seen.operations)
    if (next === null) return finishChange(seen)
    const left = 'command' in next ? await take(seen, next) : failed(seen, next)
    if ('end' in left) return left
    stand = left
    if (stand.operations.at(-1)?.state === 'unknown') doubts++
  }
  return breakOff(stand, 'unanswered')
}

/** Queries the registry unless `sight` is known, and settles the open command by what the registry shows. */
async function look(stand: Begun): Promise<Seen | Progress> {
  const { registry, change, operations } = stand
  if (stand.sight !== undefined) return { ...stand, sight: stand.sight }
  const reading = await readSight(registry, change)
  if (reading.kind !== 'done') return blind(stand, reading)
  const sight = reading.value
  if (!sameId(sight.info.sponsor, registry.registrarId) && change.kind !== 'approve_transfer')
    return gone(stand, `${change.name} is now with another registrar.`)
  const open = operations.find(isOpen)
  if (open === undefined) return { ...stand, sight }
  if (isUndecided(open, sight)) {
    if (open.state !== 'pending') await settle(stand, open.id, 'pending')
    return breakOff(stand, 'pending')
  }
  const others = operations.filter(({ id }) => id !== open.id)
  const next = nextStep(change, sight, others)
  const isLeft = next !== null && 'command' in next && next.command === open.command && next.subject === open.subject
  const isRejected = isLeft && open.state === 'pending'
  const now = isRejected ? failed(stand, conflict('The registry rejected the request.')) : stand
  const state = isRejected ? 'refused' : isLeft ? 'not_done' : 'done'
  return settle({ ...now, sight }, open.id, state)
}

function failed<S extends Begun>(stand: S, failure: Failure): S {
  return { ...stand, change: { ...stand.change, failure } }
}

/**
 * Whether the registry has not decided about a command yet. A restore with `pendingRestore` is decided: the registry waits for our report.
 * If the answer to an update or to a restore (RFC 3915 §4.2.5) was lost, `pendingUpdate` shows that the registry has accepted the command.
 */
function isUndecided({ command, state }: Recorded, { info }: Sight): boolean {
  const isRestore = command === 'restore' || command === 'report_restore'
  if (state !== 'pending') return (isRestore || isDomainUpdate(command)) && info.statuses.includes('pendingUpdate')
  if (command === 'restore' && info.graceStatuses.includes('pendingRestore')) return false
  return info.statuses.some((status) => status.startsWith('pending'))
}

/** Decides what happens to a change if the registry's state could not be read. */
async function blind(stand: Begun, reading: Exclude<Reading<Sight>, { kind: 'done' }>): Promise<Progress> {
  if (reading.kind === 'not_sent' || reading.kind === 'unknown') return breakOff(stand, 'unanswered')
  if (reading.kind === 'fault' || (await isDoubtful(stand))) return delay(stand, reading, delays)
  const { code, message } = reading.reply
  return gone(stand, `${stand.change.name} is no longer registered with us. The registry says: ${message} (${code}).`)
}

/** Ends a change of a domain that is not with us. A default lock waits until the domain's own check agrees: a registry's lists may be behind. */
function gone(stand: Begun, why: string): Promise<Progress> {
  return isDefaultLock(stand.change) ? delay(stand, { why }, delays) : finishChange(failed(stand, conflict(why)))
}

/**
 * Whether the registry may have refused to show the domain by mistake (`untilConfirmedS`). This is assumed if a command may have been carried
 * out, because the change must then be completed, for example to lock the domain again. The assumption ends when the daily check finds that
 * the domain is gone. The first lookup of that check is due now.
 */
function isDoubtful({ database, change, operations }: Begun): Promise<boolean> {
  return database.transact(async (tx) => {
    const domain = await lockDomain(tx, change.name)
    if (domain?.id !== change.domainId || operations.every(({ state }) => state === 'not_done')) return false
    if (domain.missingForS === null) await hurryDomain(tx, change.name)
    return true
  })
}

const stateAfter: Readonly<Record<Answer['kind'], State>> = {
  ...{ done: 'done', pending: 'pending', refused: 'refused', echo: 'refused', unknown: 'unknown' },
  ...{ fault: 'not_done', not_sent: 'not_done' },
}

/** Records one command, sends it, and records its result. */
async function take(seen: Seen, step: Step): Promise<Begun | Progress> {
  const { command, subject } = step
  const change = { ...seen.change, relock: seen.change.relock || command === 'allow_updates' }
  const operation = await seen.database.transact(async (tx) => {
    await holdChange(tx, change, leased)
    return (await changeCommands.record(tx, [{ owner: change.id, command, subject }]))[0] as Recorded
  })
  const answer = meaningOf(command, await sendCommand(seen.registry, step, operation.clTrid), seen.operations)
  return hear({ ...seen, change }, { step, operation, answer })
}

/** Records the result of a command. Without `sight`, the registry has not been queried yet, so it is queried after a refusal. */
async function hear(stand: Begun, { step, operation, answer }: Heard): Promise<Begun | Progress> {
  const { change: begun, operations: earlier, sight } = stand
  const isRefused = answer.kind === 'refused'
  const refusal = isRefused && sight !== undefined ? failureOf(begun.name, step.command, answer.reply) : null
  const change = { ...begun, failure: begun.failure ?? refusal }
  const left = answer.kind === 'done' ? step.leaves : isRefused ? sight : undefined
  const state = stateAfter[answer.kind]
  const now = { ...stand, change, operations: [...earlier, { ...operation, state }], sight: left }
  const reply = 'reply' in answer ? answer.reply : null
  if (answer.kind === 'done' && left && nextStep(change, left, now.operations) === null) return finishChange(now, reply)
  await settle(now, operation.id, state, reply)
  if (answer.kind === 'fault') return delay(now, answer, delays)
  if (answer.kind === 'pending') return breakOff(now, 'pending')
  if (answer.kind === 'not_sent') return breakOff(now, 'unanswered')
  if (begun.failure !== null && (isRefused || answer.kind === 'echo'))
    return delay(now, { command: step.command }, 'a domain could not be locked again; retrying')
  return now
}

/** Records the result of a command. */
async function settle<S extends Begun>(stand: S, id: number, state: State, reply?: RegistryReply | null): Promise<S> {
  await stand.database.transact(async (tx) => {
    await holdChange(tx, stand.change)
    await settleCommand(tx, id, { state, reply: reply ?? null })
  })
  return { ...stand, operations: stand.operations.map((each) => (each.id === id ? { ...each, state } : each)) }
}

const delays = 'a registry delays domain changes'

/** Postpones a change because of a fault that a person must correct. */
function delay(stand: Omit<Begun, 'registry'>, about: object, text: string): Promise<Progress> {
  stand.log.error({ ...about, domain: stand.change.name }, text)
  return breakOff(stand, 'fault')
}

/** Postpones a change. Drops one that a request waits for if none of its commands can have been carried out. */
async function breakOff({ database, change, operations }: Omit<Begun, 'registry'>, why: Delay): Promise<Progress> {
  if (!isUnattended(change) && operations.every(({ state }) => state === 'not_done')) {
    await database.transact((tx) => endChange(tx, change, 'dropped'))
    return { end: 'dropped' }
  }
  const afterS = why === 'unanswered' ? backOffS('change', operations) : waits[why]
  await database.transact((tx) => postponeChange(tx, change, afterS))
  return { end: why === 'pending' ? 'pending' : 'later' }
}
