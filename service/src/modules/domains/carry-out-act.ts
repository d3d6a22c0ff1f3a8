import {
  type Answer,
  backOffS,
  type ChangeCommand,
  isDomainUpdate,
  meaningOf,
  sendCommand,
  waits,
} from '#modules/registry-commands/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { type Reading, type Registries, type Registry, sameId } from '#ports/registry.ts'
import type { Act, ActOperation, Progress, Sight } from './act.ts'
import { markFailed, noteOperation, postponeAct, readOperations, recordStep, TakenOver } from './act-store.ts'
import { finishAct } from './finish-act.ts'
import { after, failureOf, nextStep } from './plan-act.ts'
import { readSight } from './read-sight.ts'
import { hurryDomain, lockDomain } from './store.ts'

/** What acts need from outside their module. */
export interface ActWork {
  readonly database: Database
  readonly registries: Registries
  readonly secrets: SecretBox
  readonly log: Logger
}

/** An act in progress: at its registry, with its secret opened. */
interface Run {
  readonly work: ActWork
  readonly registry: Registry
  readonly code: string
}

/** How many commands may get no answer before the registry is left alone for a while. */
const mostDoubts = 2

/**
 * Carries an act out, command by command. Each is recorded before it is sent, and its result after, in short transactions; the registry
 * is asked between them. A command whose result is unknown is looked up before anything else is sent.
 *
 * The act is this process's by its lease. Never rejects for what a registry does.
 */
export async function carryOut(work: ActWork, act: Act): Promise<Progress> {
  const registry = work.registries.registryOf(act.name)
  const code = act.secret === null ? '' : work.secrets.open(secretPurpose(act.domainId), act.secret)
  try {
    if (registry !== undefined) return await advance({ work, registry, code }, act)
    work.log.error({ domain: act.name }, 'no registry is configured for a domain that has a pending change')
    return await breakOff(work, act, waits.fault)
  } catch (error) {
    if (error instanceof TakenOver) return { end: 'later' }
    throw error
  }
}

async function advance(run: Run, act: Act): Promise<Progress> {
  const { work, registry, code } = run
  let current = act
  let sight: Sight | undefined
  let doubts = 0
  for (;;) {
    if (sight === undefined) {
      const seen = await look(run, current)
      if ('end' in seen) return seen
      sight = seen.sight
      current = seen.act
    }
    const operations = await readOperations(work.database.db, act.id)
    const next = nextStep({ ...current, code }, sight, operations)
    if (next.do === 'refuse') current = { ...current, failure: next.failure }
    if (next.do === 'end' || (next.do === 'refuse' && !current.relock))
      return finishAct(work, current, { sight, registrarId: registry.registrarId, operations })
    if (next.do === 'refuse') {
      const { failure } = next
      await work.database.transact((tx) => markFailed(tx, act, failure))
      continue
    }
    const sent = await take(run, current, sight, next.command, operations)
    if ('end' in sent) return sent
    current = sent.act
    sight = sent.sight
    if (sent.isDoubted && ++doubts === mostDoubts) return breakOff(work, current, 'unanswered')
  }
}

/** What an act's secret is sealed for (`SecretBox`). */
export function secretPurpose(domainId: number): string {
  return `domain act of ${domainId}`
}

/** Reads what the registry has, and settles by it the command whose result was unknown. */
async function look(
  { work, registry, code }: Run,
  act: Act,
): Promise<{ readonly sight: Sight; readonly act: Act } | Progress> {
  const reading = await readSight(registry, act, code)
  if (reading.kind !== 'done') return blind(work, act, reading)
  const sight = reading.value
  if (!sameId(sight.info.sponsor, registry.registrarId) && act.kind !== 'approve_transfer')
    return finishAct(work, failed(act, `${act.name} is now with another registrar.`))
  const operations = await readOperations(work.database.db, act.id)
  const open = operations.find(({ state }) => ['sending', 'unknown', 'pending'].includes(state))
  if (open === undefined) return { sight, act }
  if (isUndecided(open, sight)) {
    if (open.state !== 'pending')
      await work.database.transact((tx) => noteOperation(tx, act, open.id, { state: 'pending' }))
    return breakOff(work, act, waits.pending, 'pending')
  }
  const others = operations.filter(({ id }) => id !== open.id)
  const next = nextStep({ ...act, code }, sight, others)
  const isLeft = next.do === 'send' && next.command.command === open.command && next.command.subject === open.subject
  const isRejected = isLeft && open.state === 'pending'
  const now = isRejected ? failed(act, 'The registry rejected the request.') : act
  const state = isRejected ? 'refused' : isLeft ? 'not_done' : 'done'
  await work.database.transact((tx) => noteOperation(tx, now, open.id, { state }))
  return { sight, act: now }
}

function failed(act: Act, message: string): Act {
  return { ...act, failure: { code: 'conflict', message } }
}

/**
 * Whether the registry has not decided yet. A restore that it has agreed to waits for our report. When the answer to an update was lost, a
 * restore among them (RFC 3915 §4.2.5), `pendingUpdate` shows that the registry has accepted it.
 */
function isUndecided({ command, state }: ActOperation, { info }: Sight): boolean {
  const isRestore = command === 'restore' || command === 'report_restore'
  if (state !== 'pending') return (isRestore || isDomainUpdate(command)) && info.statuses.includes('pendingUpdate')
  if (command === 'restore' && info.graceStatuses.includes('pendingRestore')) return false
  return info.statuses.some((status) => status.startsWith('pending'))
}

/** The registry does not show what it has. */
async function blind(work: ActWork, act: Act, reading: Exclude<Reading<Sight>, { kind: 'done' }>): Promise<Progress> {
  if (reading.kind === 'refused' && !(await isDoubtful(work, act))) {
    const { code, message } = reading.reply
    return finishAct(
      work,
      failed(act, `${act.name} is no longer registered with us. The registry says: ${message} (${code}).`),
    )
  }
  if (reading.kind !== 'fault' && reading.kind !== 'refused') return breakOff(work, act, 'unanswered')
  const fault = reading.kind === 'fault' ? reading.fault : null
  work.log.error({ domain: act.name, fault, reply: reading.reply }, 'a registry delays domain changes')
  return breakOff(work, act, waits.fault)
}

/**
 * Whether the registry may refuse to show the domain by mistake (`untilConfirmedS`). It is assumed once a command was sent that must be
 * completed, such as one that unlocks the domain, until the daily check finds the domain gone; its first lookup is due now.
 */
function isDoubtful({ database }: ActWork, act: Act): Promise<boolean> {
  return database.transact(async (tx) => {
    const domain = await lockDomain(tx, act.name)
    const operations = await readOperations(tx, act.id)
    if (domain?.id !== act.domainId || operations.every(({ state }) => state === 'not_done')) return false
    if (domain.missingForS === null) await hurryDomain(tx, act.name)
    return true
  })
}

/** Where an act is after a command. `sight`: left out where the registry must be asked. `isDoubted`: there was no answer. */
interface Sent {
  readonly act: Act
  readonly sight?: Sight | undefined
  readonly isDoubted?: true
}

const stateAfter: Readonly<Record<Answer['kind'], ActOperation['state']>> = {
  ...{ done: 'done', pending: 'pending', refused: 'refused', echo: 'refused', unknown: 'unknown' },
  ...{ fault: 'not_done', not_sent: 'not_done' },
}

/** Sends one command. `earlier`: those that the act has sent before. */
async function take(
  { work, registry }: Run,
  before: Act,
  sight: Sight,
  command: ChangeCommand,
  earlier: readonly ActOperation[],
): Promise<Sent | Progress> {
  const act: Act = { ...before, relock: before.relock || command.command === 'allow_updates' }
  const { id, clTrid } = await work.database.transact((tx) => recordStep(tx, act, command))
  const answer = meaningOf(command.command, await sendCommand(registry, command, clTrid), earlier)
  const reply = 'reply' in answer ? answer.reply : null
  const failure =
    answer.kind === 'refused'
      ? (act.failure ?? failureOf(act.name, command.command, answer.reply) ?? null)
      : act.failure
  const now: Act = { ...act, failure }
  await work.database.transact((tx) => noteOperation(tx, now, id, { state: stateAfter[answer.kind], reply }))
  switch (answer.kind) {
    case 'done':
      return { act: now, sight: after(sight, command) }
    case 'pending':
      return breakOff(work, now, waits.pending, 'pending')
    case 'refused':
    case 'echo':
      if (act.failure === null) return { act: now, sight: answer.kind === 'refused' ? sight : undefined }
      work.log.error({ domain: act.name, command: command.command }, 'a domain could not be locked again; retrying')
      return breakOff(work, now, waits.fault)
    case 'fault':
      work.log.error({ domain: act.name, fault: answer.fault, reply }, 'a registry delays domain changes')
      return breakOff(work, now, waits.fault)
    case 'not_sent':
      return breakOff(work, now, 'unanswered')
    case 'unknown':
      return { act: now, isDoubted: true }
  }
}

/** Leaves an act for later, or for good if no command of it can have been carried out. */
async function breakOff(
  work: ActWork,
  act: Act,
  afterS: number | 'unanswered',
  end: 'pending' | 'later' = 'later',
): Promise<Progress> {
  const operations = await readOperations(work.database.db, act.id)
  const misses = operations.filter(({ state }) => state === 'not_done').length
  if (misses === operations.length) return finishAct(work, act, 'dropped')
  await work.database.transact((tx) =>
    postponeAct(tx, act, afterS === 'unanswered' ? backOffS('change', misses) : afterS),
  )
  return { end }
}
