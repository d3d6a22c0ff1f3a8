import type { Outcome, RegistryReply } from '#ports/registry.ts'
import type { RecordedCommand } from './command.ts'

type CommandName = RecordedCommand['command']
/** A command that was sent earlier for the same owner. */
type Earlier = Pick<RecordedCommand, 'command' | 'state' | 'missedForS'>

/** An outcome, or `echo`: a refusal that an earlier attempt may have caused by succeeding. Query the registry to find out. */
export type Answer<T = unknown> = Outcome<T> | { readonly kind: 'echo'; readonly reply: RegistryReply }

interface EchoRule {
  readonly codes: readonly number[]
  /** Whether the rule applies, given the earlier attempts of the same command. */
  readonly when: (attempts: readonly Earlier[]) => boolean
  /** It proves that the command was carried out: no lookup is needed. */
  readonly isDone?: true
}

/** Even at a first attempt: a restored database may have forgotten the one that succeeded. */
const always = (): boolean => true
/** A lookup had to decide an earlier attempt. */
const afterLookup = (attempts: readonly Earlier[]): boolean => attempts.some(({ missedForS }) => missedForS !== null)
const isFirstRefusal = (attempts: readonly Earlier[]): boolean => !attempts.some(({ state }) => state === 'refused')
const afterNotDone = (attempts: readonly Earlier[]): boolean =>
  isFirstRefusal(attempts) && attempts.some(({ state }) => state === 'not_done')

const changes: readonly EchoRule[] = [{ codes: [2302, 2303, 2304, 2305, 2306], when: afterNotDone }]
const creations: readonly EchoRule[] = [{ codes: [2302], when: isFirstRefusal }, ...changes]

/** Refusals that may be echoes. Any command that is not listed follows `changes`. */
const echoRules: Readonly<Partial<Record<CommandName, readonly EchoRule[]>>> = {
  // The contact's id is random, so only an attempt of ours can have used it.
  contact: [{ codes: [2302], when: always, isDone: true }],
  create: [{ codes: [2302], when: always }],
  renew: [{ codes: [2105, 2304, 2306, 2308], when: always }],
  // Never at a first attempt: the registry does not show for which of our orders a transfer was requested.
  transfer: [{ codes: [2106, 2300, 2304], when: afterLookup }],
  create_host: creations,
  create_contact: creations,
}

/** The meaning of an outcome, given the commands that were sent before it. */
export function meaningOf<T>(command: CommandName, outcome: Outcome<T>, earlier: readonly Earlier[]): Answer<T | null> {
  if (outcome.kind !== 'refused') return outcome
  const { reply } = outcome
  const attempts = earlier.filter((each) => each.command === command)
  const rule = rulesOf(command, reply.code).find(({ when }) => when(attempts))
  if (rule === undefined) return outcome
  return rule.isDone ? { kind: 'done', value: null, reply } : { kind: 'echo', reply }
}

/** Whether a refusal with this code can be an echo at all. */
export function isEchoCode(command: CommandName, code: number): boolean {
  return rulesOf(command, code).length > 0
}

function rulesOf(command: CommandName, code: number): readonly EchoRule[] {
  return (echoRules[command] ?? changes).filter(({ codes }) => codes.includes(code))
}
