import type { Gate } from './gates.ts'

/** Tests that do less without it run in full. */
const env = { DRILL: 'true' }

/** What `npm run drills` runs, one part after the other. */
export const drillParts: readonly Gate[] = [
  {
    proves: 'a nameserver restarts without an unanswered query, 20 times, over UDP and TCP',
    command: ['tools/test.ts', 'nameserver/src/restart.test.ts'],
    env,
    withinMinutes: 15,
  },
]
