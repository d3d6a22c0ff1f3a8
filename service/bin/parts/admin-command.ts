import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import type { Platform } from './platform.ts'

/** One thing that an operator can do: in one transaction, under the operator's name in the audit log. */
export interface Command {
  readonly usage: string
  readonly summary: string
  run(tx: Tx, actor: Actor, args: readonly string[], platform: Platform): Promise<object>
}
