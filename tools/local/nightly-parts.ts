import type { Gate } from './gates.ts'

/** Tests that do less without it run in full. */
const env = { NIGHTLY: 'true' }

/** What `npm run nightly` runs, one part after the other. */
export const nightlyParts: readonly Gate[] = [
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
      'system-tests/flows/{an-installation-is-watched,faults-outside}.test.ts',
      'system-tests/nightly/*.test.ts',
    ],
    env,
    withinMinutes: 20,
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
  {
    proves: 'tests notice one-place changes of the program',
    command: ['tools/mutants.ts'],
    withinMinutes: 75,
  },
]
