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
  waits,
} from '#modules/registry-commands/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { type Reading, type Registries, type RegistryReply, sameId } from '#ports/registry.ts'
import { endChange, postponeChange, recordCommand, recordResult, TakenOver } from './change-store.ts'
import type { Change, Failure, Progress, Sight } from './domain-change.ts'
import { finishChange, type Stand } from './finish-change.ts'
import { after, conflict, failureOf, nextStep } from './plan-change.ts'
import { readSight } from './read-sight.ts'
import { hurryDomain, lockDomain } from './store.ts'

/** What changes need from outside their module. */
export interface ChangeWork {
  readonly database: Database
  readonly registries: Registries
  readonly secrets: SecretBox
  readonly log: Logger
}

/** `code`: the secret of the change, decrypted. */
type Begun = Stand & ChangeWork & { readonly change: { readonly code: string } }
type Seen = Begun & { readonly sight: Sight }

/** After this many commands without an answer, a change waits before it continues. */
const mostDoubts = 2

/**
 * Sends the commands of a change until the change ends or must wait. Each command is recorded before it is sent, and its result afterwards,
 * in short transactions. No transaction is open while the registry is queried. If the result of a command is unknown, the command is looked
 * up before anything else is sent.
 *
 * The caller holds the lease of the change. Never rejects because of what a registry does.
 */
export async function advanceChange(work: ChangeWork, change: Change): Promise<Progress> {
  const registry = work.registries.registryOf(change.name)
  const code = change.secret === null ? '' : work.secrets.open('domain_acts.secret', change.domainId, change.secret)
  const operations = await changeCommands.readOf(work.database.db, change.id)
  const begun = { ...work, change: { ...change, code }, operations }
  try {
    if (registry !== undefined) return await advance({ ...begun, registry })
    work.log.error({ domain: change.name }, 'no registry is configured for a domain that has a pending change')
    return await breakOff(begun, 'fault')
  } catch (error) {
    if (error instanceof TakenOver) return { end: 'later' }
    throw error
  }
}

async function advance(begun: Begun): Promise<Progress> {
  let stand = begun
  let doubts = 0
  for (;;) {
    const seen = await look(stand)
    if ('end' in seen) return seen
    const next = nextStep(seen.change, seen.sight, seen.operations)
    if (next === null) return finishChange(seen)
    if ('command' in next) {
      const sent = await take(seen, next)
      if ('end' in sent) return sent
      stand = sent
      const isDoubted = stand.operations.at(-1)?.state === 'unknown'
      if (isDoubted && ++doubts === mostDoubts) return breakOff(stand, 'unanswered')
    } else stand = failed(seen, next)
  }
}

/** Queries the registry unless `sight` is known, and settles the open command by what the registry shows. */
async function look(stand: Begun): Promise<Seen | Progress> {
  const { registry, change, operations } = stand
  if (stand.sight !== undefined) return { ...stand, sight: stand.sight }
  const reading = await readSight(registry, change)
  if (reading.kind !== 'done') return blind(stand, reading)
  const sight = reading.value
  if (!sameId(sight.info.sponsor, registry.registrarId) && change.kind !== 'approve_transfer')
    return finishChange(failed(stand, conflict(`${change.name} is now with another registrar.`)))
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
function isUndecided({ command, state }: RecordedCommand<ChangeCommand>, { info }: Sight): boolean {
  const isRestore = command === 'restore' || command === 'report_restore'
  if (state !== 'pending') return (isRestore || isDomainUpdate(command)) && info.statuses.includes('pendingUpdate')
  if (command === 'restore' && info.graceStatuses.includes('pendingRestore')) return false
  return info.statuses.some((status) => status.startsWith('pending'))
}

/** Decides what happens to a change if the registry does not show what it has. */
async function blind(stand: Begun, reading: Exclude<Reading<Sight>, { kind: 'done' }>): Promise<Progress> {
  if (reading.kind === 'not_sent' || reading.kind === 'unknown') return breakOff(stand, 'unanswered')
  if (reading.kind === 'fault' || (await isDoubtful(stand))) return delay(stand, reading)
  const { change } = stand
  const { code, message } = reading.reply
  const why = `${change.name} is no longer registered with us. The registry says: ${message} (${code}).`
  return finishChange(failed(stand, conflict(why)))
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

const stateAfter: Readonly<Record<Answer['kind'], RecordedCommand['state']>> = {
  ...{ done: 'done', pending: 'pending', refused: 'refused', echo: 'refused', unknown: 'unknown' },
  ...{ fault: 'not_done', not_sent: 'not_done' },
}

/** Sends one command. */
async function take(seen: Seen, step: ChangeCommand): Promise<Begun | Progress> {
  const { database, log, registry, operations: earlier, sight } = seen
  const change = { ...seen.change, relock: seen.change.relock || step.command === 'allow_updates' }
  const operation = await database.transact((tx) => recordCommand(tx, change, step))
  const answer = meaningOf(step.command, await sendCommand(registry, step, operation.clTrid), earlier)
  const reply = 'reply' in answer ? answer.reply : null
  const failure =
    change.failure ?? (answer.kind === 'refused' ? failureOf(change.name, step.command, answer.reply) : null)
  const now = { ...seen, change: { ...change, failure }, operations: [...earlier, operation], sight: undefined }
  const sent = await settle(now, operation.id, stateAfter[answer.kind], reply)
  switch (answer.kind) {
    case 'done':
      return { ...sent, sight: after(sight, step) }
    case 'pending':
      return breakOff(sent, 'pending')
    case 'refused':
    case 'echo':
      if (change.failure === null) return answer.kind === 'refused' ? { ...sent, sight } : sent
      log.error({ domain: change.name, command: step.command }, 'a domain could not be locked again; retrying')
      return breakOff(sent, 'fault')
    case 'fault':
      return delay(sent, answer)
    case 'not_sent':
      return breakOff(sent, 'unanswered')
    case 'unknown':
      return sent
  }
}

/** Records the result of a command. */
async function settle<S extends Begun>(
  stand: S,
  id: number,
  state: RecordedCommand['state'],
  reply: RegistryReply | null = null,
): Promise<S> {
  await stand.database.transact((tx) => recordResult(tx, stand.change, id, { state, reply }))
  return { ...stand, operations: stand.operations.map((each) => (each.id === id ? { ...each, state } : each)) }
}

/** Postpones a change because of a fault that a person must correct. */
function delay(stand: Begun, { fault, reply }: { fault?: string; reply: RegistryReply }): Promise<Progress> {
  stand.log.error({ domain: stand.change.name, fault, reply }, 'a registry delays domain changes')
  return breakOff(stand, 'fault')
}

/** Postpones a change, or drops it if none of its commands can have been carried out. */
async function breakOff(
  { database, change, operations }: Omit<Begun, 'registry'>,
  why: 'pending' | 'fault' | 'unanswered',
): Promise<Progress> {
  const misses = operations.filter(({ state }) => state === 'not_done').length
  if (misses === operations.length) {
    await database.transact((tx) => endChange(tx, change, 'dropped'))
    return { end: 'dropped' }
  }
  const afterS = why === 'unanswered' ? backOffS('change', misses) : waits[why]
  await database.transact((tx) => postponeChange(tx, change, afterS))
  return { end: why === 'pending' ? 'pending' : 'later' }
}
