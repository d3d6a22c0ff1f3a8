import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { type Reading, type Registries, type Registry, type RegistryReply, sameId } from '#ports/registry.ts'
import type { Act, ActOperation, Failure, Progress, Sight, Step } from './act.ts'
import {
  insertOperation,
  lockAct,
  markFailed,
  markRelock,
  noteOperation,
  postponeAct,
  readOperations,
  renewLease,
} from './act-store.ts'
import { finishAct } from './finish-act.ts'
import { after, failureOf, isUpdate, nextStep, subjectOf } from './plan-act.ts'
import { newClTrid } from './registry-ids.ts'
import { readSight, sendStep } from './send-step.ts'
import { hurryDomain, lockDomain } from './store.ts'

/** What acts need from outside their module. */
export interface ActWork {
  readonly database: Database
  readonly registries: Registries
  readonly secrets: SecretBox
  readonly log: Logger
}

/**
 * Seconds until an act that broke off goes on. What gets no answer is tried after twice as long each time; a refusal of our own
 * account is a person's matter.
 */
const waits = { unanswered: 15, longest: 3_600, fault: 300, pending: 600 }

/** So many commands may get no answer in one go: a registry that is in trouble is left in peace then. */
const mostDoubts = 2

/**
 * Carries an act out, a step at a time: each command is written down before it is sent, and what came of it after, in short
 * transactions; the registry is asked between them. What nobody knows the end of is looked for before anything else is sent.
 *
 * The act is this process's by its lease. Never rejects for what a registry does.
 */
export async function carryOut(work: ActWork, act: Act): Promise<Progress> {
  const registry = work.registries.registryOf(act.name)
  if (registry === undefined) {
    work.log.error({ domain: act.name }, 'no registry is configured for a domain that has a pending change')
    return breakOff(work, act, waits.fault)
  }
  const secret = act.secret === null ? '' : work.secrets.open(secretPurpose(act.domainId), act.secret)
  let current: Act = act
  let sight: Sight | undefined
  let doubts = 0
  for (;;) {
    if (sight === undefined) {
      const seen = await look(work, registry, current, secret)
      if ('end' in seen) return seen
      sight = seen.sight
      current = seen.act
    }
    const operations = await readOperations(work.database.db, act.id)
    const next = nextStep(current, sight, operations)
    if (next.do === 'refuse') current = { ...current, failure: next.failure }
    if (next.do === 'end' || (next.do === 'refuse' && !current.relock))
      return (
        (await finishAct(work, current, { sight, registrarId: registry.registrarId, operations })) ?? { end: 'later' }
      )
    if (next.do === 'refuse') {
      if (!(await fail(work, current, next.failure))) return { end: 'later' }
      continue
    }
    const sent = await take(work, registry, current, next.step, secret)
    if ('end' in sent) return sent
    current = sent.act
    if (sent.isDoubted && ++doubts === mostDoubts) return breakOff(work, current, waits.unanswered)
    sight = sent.isDone ? after(sight, next.step) : sent.isKnown ? sight : undefined
  }
}

/** What an act's secret is sealed for (`SecretBox`). */
export function secretPurpose(domainId: number): string {
  return `domain act of ${domainId}`
}

/** Looks, and settles by it what nobody knew the end of. */
async function look(
  work: ActWork,
  registry: Registry,
  act: Act,
  secret: string,
): Promise<{ readonly sight: Sight; readonly act: Act } | Progress> {
  const reading = await readSight(registry, act, secret)
  if (reading.kind !== 'done') return blind(work, act, reading)
  const sight = reading.value
  if (!sameId(sight.info.sponsor, registry.registrarId) && act.kind !== 'approve_transfer') {
    const failure: Failure = { code: 'conflict', message: `${act.name} is now with another registrar.` }
    return (await finishAct(work, { ...act, failure })) ?? { end: 'later' }
  }
  const operations = await readOperations(work.database.db, act.id)
  const open = operations.find(({ state }) => ['sending', 'unknown', 'pending'].includes(state))
  if (open === undefined) return { sight, act }
  if (isUndecided(open, sight)) {
    const isMine = open.state === 'pending' || (await settle(work, act, open.id, 'pending'))
    return isMine ? breakOff(work, act, waits.pending, 'pending') : { end: 'later' }
  }
  const others = operations.filter(({ id }) => id !== open.id)
  const next = nextStep(act, sight, others)
  const isLeft = next.do === 'send' && next.step.step === open.step && subjectOf(act, next.step) === open.subject
  const failure: Failure | undefined =
    isLeft && open.state === 'pending' ? { code: 'conflict', message: 'The registry rejected the request.' } : undefined
  const state = isLeft ? (failure === undefined ? 'not_done' : 'refused') : 'done'
  if (!(await settle(work, act, open.id, state, { failure }))) return { end: 'later' }
  return { sight, act: failure === undefined ? act : { ...act, failure } }
}

/**
 * Has the registry not decided yet? A restore that it has agreed to waits for our report. When the answer to an update was lost,
 * `pendingUpdate` says that the registry has taken it.
 */
function isUndecided({ step, state }: ActOperation, { info }: Sight): boolean {
  if (state !== 'pending') return isUpdate(step) && info.statuses.includes('pendingUpdate')
  if (step === 'restore' && info.graceStatuses.includes('pendingRestore')) return false
  return info.statuses.some((status) => status.startsWith('pending'))
}

/** Records what became of a command. False: another worker has taken the act over. */
function settle(
  { database }: ActWork,
  act: Act,
  operation: number,
  state: ActOperation['state'],
  { failure, reply = null }: { failure?: Failure | undefined; reply?: RegistryReply | null } = {},
): Promise<boolean> {
  return database.transact(async (tx) => {
    if (!(await lockAct(tx, act))) return false
    await noteOperation(tx, operation, state, reply)
    if (failure !== undefined) await markFailed(tx, act.id, failure)
    return true
  })
}

/** The registry does not say how it is. */
async function blind(work: ActWork, act: Act, reading: Exclude<Reading<Sight>, { kind: 'done' }>): Promise<Progress> {
  if (reading.kind === 'refused' && !(await isDoubtful(work, act))) {
    const { code, message } = reading.reply
    const said = `The registry says: ${message} (${code}).`
    const failure: Failure = { code: 'conflict', message: `${act.name} is no longer registered with us. ${said}` }
    return (await finishAct(work, { ...act, failure })) ?? { end: 'later' }
  }
  if (reading.kind !== 'fault' && reading.kind !== 'refused') return breakOff(work, act, waits.unanswered)
  const fault = reading.kind === 'fault' ? reading.fault : null
  work.log.error({ domain: act.name, fault, reply: reading.reply }, 'a registry delays domain changes')
  return breakOff(work, act, waits.fault)
}

/**
 * May the registry's refusal to tell of a domain be a fault of its own? So it is taken once something was sent that is to be brought to its
 * end, an unlocked domain to be locked say, until looks an hour apart have found the domain gone; the first of them is due now.
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

/** What came of a command. `isKnown`: nothing has changed but what `isDone` says. `isDoubted`: there was no answer. */
interface Sent {
  readonly act: Act
  readonly isDone: boolean
  readonly isKnown: boolean
  readonly isDoubted?: true
}

/** Sends one command. */
async function take(work: ActWork, registry: Registry, act: Act, step: Step, secret: string): Promise<Sent | Progress> {
  const clTrid = newClTrid()
  const relock = act.relock || step.step === 'allow_updates'
  const operation = await work.database.transact(async (tx) => {
    // Its lease may be over soon: another worker would take the command for one that died on its way.
    if (!(await renewLease(tx, act))) return undefined
    if (relock !== act.relock) await markRelock(tx, act.id)
    return insertOperation(tx, { actId: act.id, step: step.step, subject: subjectOf(act, step), clTrid })
  })
  if (operation === undefined) return { end: 'later' }
  const now: Act = { ...act, relock }
  const outcome = await sendStep(registry, now, step, clTrid, secret)
  const note = (state: ActOperation['state'], failure?: Failure): Promise<boolean> =>
    settle(work, act, operation, state, { failure, reply: 'reply' in outcome ? outcome.reply : null })
  switch (outcome.kind) {
    case 'done':
      return (await note('done')) ? { act: now, isDone: true, isKnown: true } : { end: 'later' }
    case 'pending':
      return (await note('pending')) ? breakOff(work, now, waits.pending, 'pending') : { end: 'later' }
    case 'refused': {
      // Perhaps the echo of an earlier attempt of ours: what is there decides.
      const isEcho = await wasDoubted(work, act, step, outcome.reply.code)
      const failure = isEcho ? undefined : (act.failure ?? failureOf(act, step, outcome.reply))
      if (!(await note('refused', failure))) return { end: 'later' }
      if (act.failure !== null) return giveUpRelock(work, now, step)
      return { act: failure === undefined ? now : { ...now, failure }, isDone: false, isKnown: !isEcho }
    }
    case 'fault':
      work.log.error(
        { domain: act.name, fault: outcome.fault, reply: outcome.reply },
        'a registry delays domain changes',
      )
      return (await note('not_done')) ? breakOff(work, now, waits.fault) : { end: 'later' }
    case 'not_sent':
      return (await note('not_done')) ? breakOff(work, now, waits.unanswered) : { end: 'later' }
    case 'unknown':
      return (await note('unknown')) ? { act: now, isDone: false, isKnown: false, isDoubted: true } : { end: 'later' }
  }
}

/** Adding what is there, or removing what is not: an earlier command of this act, whose end nobody knew, has got through. */
async function wasDoubted(work: ActWork, act: Act, { step }: Step, code: number): Promise<boolean> {
  if (![2302, 2303, 2304, 2305, 2306].includes(code)) return false
  if ((step === 'create_contact' || step === 'create_host') && code === 2302) {
    // Whoever has it now is an attempt of ours; a second refusal is another matter.
    const operations = await readOperations(work.database.db, act.id)
    return !operations.some((each) => each.step === step && each.state === 'refused')
  }
  const operations = await readOperations(work.database.db, act.id)
  const same = operations.filter((each) => each.step === step)
  return same.some(({ state }) => state === 'not_done') && !same.some(({ state }) => state === 'refused')
}

/** The lock could not be set again: tried for as long as it takes, and said. */
function giveUpRelock(work: ActWork, act: Act, { step }: Step): Promise<Progress> {
  work.log.error({ domain: act.name, step }, 'a domain could not be locked again; retrying')
  return breakOff(work, act, waits.fault)
}

/** Keeps why an act is to end, while something is left to be set right. */
function fail({ database }: ActWork, act: Act, failure: Failure): Promise<boolean> {
  return database.transact(async (tx) => {
    if (!(await lockAct(tx, act))) return false
    await markFailed(tx, act.id, failure)
    return true
  })
}

/** Leaves an act for later, or for good if nothing of it has happened and nobody doubts that. */
async function breakOff(
  work: ActWork,
  act: Act,
  afterS: number,
  end: 'pending' | 'later' = 'later',
): Promise<Progress> {
  const operations = await readOperations(work.database.db, act.id)
  if (operations.every(({ state }) => state === 'not_done'))
    return (await finishAct(work, act, 'dropped')) ?? { end: 'later' }
  const misses = operations.filter(({ state }) => state === 'not_done').length
  const waitS = afterS === waits.unanswered ? Math.min(waits.longest, afterS * 2 ** Math.min(misses, 10)) : afterS
  await work.database.transact(async (tx) => {
    if (await lockAct(tx, act)) await postponeAct(tx, act.id, waitS)
  })
  return { end }
}
