import {
  type BehaviourReader,
  Behaviours,
  behaviourReader,
  isBoolean,
  type Limited,
  wholeWithin,
} from '../behaviours.ts'
import { messageOf } from './reply.ts'

/** How the EPP server treats a command. Left to itself it does what it is asked and says so. */
export interface EppBehaviour extends Limited {
  /** Refuse with this code, and do nothing: 2104 is an empty account, 2400 a failure of the registry's own. */
  readonly code?: number
  /** Why, in words. */
  readonly reason?: string
  /** Take it on (1001), and do it, or not, when it is decided. */
  readonly pending?: boolean
  /** Do not do it. With `answer` alone it is done. */
  readonly skip?: boolean
  /**
   * Instead of the answer: close the connection (`drop`), close it amid the answer (`cut`), say nothing and keep the connection open
   * (`hang`), or send an answer with a document type, one that is too large, no XML at all, one to somebody else's command, or one whose
   * data has nothing in it (`hollow`). Or send the answer two times: at once (`twice`), or the second time before the next one (`again`).
   */
  readonly answer?: (typeof answers)[number]
  /** Wait before anything is done. */
  readonly delayMs?: number
}

const answers = [
  'drop',
  'cut',
  'hang',
  'doctype',
  'oversize',
  'garbage',
  'stranger',
  'hollow',
  'twice',
  'again',
] as const

export const readEppBehaviour: BehaviourReader<EppBehaviour> = behaviourReader<EppBehaviour>({
  code: (value) => typeof value === 'number' && value in messageOf,
  reason: (value) => typeof value === 'string',
  pending: isBoolean,
  skip: isBoolean,
  answer: (value) => answers.some((answer) => answer === value),
  delayMs: wholeWithin(0, 120_000),
})

/** The behaviours told, by command (`domain:create`, `login`, `greeting`, …) and by what it is about. */
export class EppBehaviours {
  readonly #byCommand = new Map<string, Behaviours<EppBehaviour>>()

  /** Without a command: for every one. Without a subject: whatever it is about. */
  set(behaviour: EppBehaviour, command = '', subject = ''): void {
    if (command === '' && subject === '') this.#byCommand.clear()
    const behaviours = this.#byCommand.get(command) ?? new Behaviours<EppBehaviour>()
    this.#byCommand.set(command, behaviours)
    behaviours.set(behaviour, subject)
  }

  /** What is told for one operation of a transfer goes before what is told for all of them. */
  take(command: string, subject: string): EppBehaviour {
    const [kind = ''] = command.split(' ')
    // What is told for every command is for those about objects: nobody could log in otherwise.
    const any = command.includes(':') ? this.#byCommand.get('') : undefined
    const ofAll = command === kind ? undefined : this.#byCommand.get(kind)
    return this.#byCommand.get(command)?.take(subject) ?? ofAll?.take(subject) ?? any?.take(subject) ?? {}
  }
}
