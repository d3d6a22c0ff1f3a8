import {
  type BehaviourReader,
  Behaviours,
  behaviourReader,
  isBoolean,
  type Limited,
  wholeWithin,
} from '../behaviours.ts'
import { messageOf } from './reply.ts'

/** How the EPP server handles a command. By default, it executes the command and responds. */
export interface EppBehaviour extends Limited {
  /** Refuse with this code, and do nothing: 2104 is an empty account, and 2400 is an internal failure of the registry. */
  readonly code?: number
  /** The reason as text. */
  readonly reason?: string
  /** Accept it as pending (1001), and execute or reject it when it is decided. */
  readonly pending?: boolean
  /** Do not execute it. With only `answer`, the command is executed. */
  readonly skip?: boolean
  /**
   * Instead of the response: close the connection (`drop`), close it in the middle of the response (`cut`), keep it open without a response (`hang`),
   * or send a response that has a document type, is too large, is not XML, belongs to another client's command, or has empty data (`hollow`). Or send
   * the response twice: immediately (`twice`), or the second time before the next response (`again`).
   */
  readonly answer?: (typeof answers)[number]
  /** Wait this long before anything else. */
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

/** The behaviors that were set, by command (`domain:create`, `login`, `greeting`, …) and by its subject. */
export class EppBehaviours {
  readonly #byCommand = new Map<string, Behaviours<EppBehaviour>>()

  /** Without a command, it applies to all commands. Without a subject, it applies to all subjects. */
  set(behaviour: EppBehaviour, command = '', subject = ''): void {
    if (command === '' && subject === '') this.#byCommand.clear()
    const behaviours = this.#byCommand.get(command) ?? new Behaviours<EppBehaviour>()
    this.#byCommand.set(command, behaviours)
    behaviours.set(behaviour, subject)
  }

  /** A behavior for one operation of a transfer takes precedence over one for all operations. */
  take(command: string, subject: string): EppBehaviour {
    const [kind = ''] = command.split(' ')
    // A behavior for all commands applies only to commands about objects. Otherwise, no one could log in.
    const any = command.includes(':') ? this.#byCommand.get('') : undefined
    const ofAll = command === kind ? undefined : this.#byCommand.get(kind)
    return this.#byCommand.get(command)?.take(subject) ?? ofAll?.take(subject) ?? any?.take(subject) ?? {}
  }
}
