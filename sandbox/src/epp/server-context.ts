import type { ReadXml } from '@zonewright/epp'
import type { EppBehaviours } from './behaviour.ts'
import type { Registry } from './registry.ts'

/** A command in the registry's log, with its response. */
export interface NotedCommand {
  readonly at: string
  readonly registrar: string | null
  readonly command: string
  readonly subject: string
  readonly cl_trid: string | null
  readonly code: number
  /** The command was not executed, whatever the code says. */
  readonly skipped: boolean
  /** What happened instead of a response; null if there was a response. */
  readonly answered: string | null
}

/** The state that all sessions of the server share. */
export interface EppServerContext {
  readonly registry: Registry
  readonly readXml: ReadXml
  readonly behaviours: EppBehaviours
  /** The maximum number of simultaneous sessions of one registrar. */
  readonly maxSessions: number
  sessionsOf(registrar: string): number
  note(command: NotedCommand): void
  log(message: string): void
}
