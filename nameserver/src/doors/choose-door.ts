import { availableParallelism } from 'node:os'
import type { Log } from '../log.ts'
import type { DoorChoice } from '../options.ts'
import { reasonOf, StartupFault } from '../startup-fault.ts'
import type { Libc } from './fast/libc.ts'
import { testLibc } from './fast/self-test.ts'

/** The door for UDP. */
export type ChosenDoor =
  | { readonly kind: 'fast'; readonly libc: Libc; readonly threads: number }
  | { readonly kind: 'portable' }

/**
 * The fast door if a self-test succeeds; otherwise the portable one, with a log line that says why.
 *
 * @throws StartupFault if the fast door is required and does not work.
 */
export function chooseDoor(choice: DoorChoice, threads: number | undefined, log: Log, test = testLibc): ChosenDoor {
  if (choice === 'portable') return { kind: 'portable' }
  try {
    return { kind: 'fast', libc: test(), threads: threads ?? availableParallelism() }
  } catch (error) {
    if (choice === 'fast') throw new StartupFault(`--door fast: ${reasonOf(error)}`)
    log.info('the portable door is used', { reason: reasonOf(error) })
    return { kind: 'portable' }
  }
}
