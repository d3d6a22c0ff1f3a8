import type { ReadXml } from '@zonewright/epp'
import type { EppBehaviours } from './behaviour.ts'
import type { Registry } from './registry.ts'

/** A command as the registry's log has it: what came, and how it was answered. */
export interface NotedCommand {
  readonly at: string
  readonly registrar: string | null
  readonly command: string
  readonly subject: string
  readonly cl_trid: string | null
  readonly code: number
  /** It was not done, whatever the code says. */
  readonly skipped: boolean
  /** What was done instead of answering; null: it was answered. */
  readonly answered: string | null
}

/** What all sessions of the server share. */
export interface EppServerContext {
  readonly registry: Registry
  readonly readXml: ReadXml
  readonly behaviours: EppBehaviours
  /** Of one registrar at once. */
  readonly maxSessions: number
  sessionsOf(registrar: string): number
  note(command: NotedCommand): void
  log(message: string): void
}
