// `npm run nightly`: what takes too long for `npm run ci`, and whose behaviour a shorter test of `npm run ci` shows as well. The parts run one
// after the other; each ends within its limit, or has failed. Closes with the seconds of each part and the tally of all tests.
//
// With arguments: only the parts whose line has one of these words, such as `npm run nightly -- browser`.
import { type Gate, runGates } from './local/gates.ts'

/** Tests that do less without it run in full. */
const env = { NIGHTLY: 'true' }

const parts: readonly Gate[] = [
  {
    proves: 'conformance in full',
    command: ['tools/conformance.ts'],
    env,
    withinMinutes: 40,
  },
  {
    proves: 'every module and whole flows on the oldest PostgreSQL',
    command: ['tools/conformance.ts', 'modules'],
    withinMinutes: 45,
  },
  {
    proves: 'the dashboard in a browser, on a desktop and on a phone',
    command: ['tools/test.ts', 'system-tests/dashboard/*.test.ts'],
    env,
    withinMinutes: 30,
  },
  {
    proves: 'flows pass through the files that their pages list',
    command: ['bench/src/trace.ts', '--check'],
    withinMinutes: 10,
  },
  {
    proves: 'long tests',
    command: [
      'tools/test.ts',
      'packages/**/*.nightly.ts',
      'packages/dns/src/zone-file-entries.test.ts',
      'packages/epp/src/round-trip.test.ts',
      'system-tests/nightly/*.test.ts',
    ],
    env,
    withinMinutes: 15,
  },
  {
    proves: 'invariants of orders and of changes of domains, 10,000 random sequences each',
    command: [
      'tools/test.ts',
      'service/src/modules/orders/invariants.test.ts',
      'service/src/modules/domains/invariants.test.ts',
    ],
    env: { ORDER_SEQUENCES: '10000', DOMAIN_SEQUENCES: '10000' },
    withinMinutes: 40,
  },
]

const words = process.argv.slice(2)
const chosen = parts.filter(({ proves }) => words.length === 0 || words.some((word) => proves.includes(word)))
await runGates(chosen.map((part) => [part]))
