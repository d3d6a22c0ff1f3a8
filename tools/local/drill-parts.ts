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
  {
    proves: 'a frozen worker repeats few deliveries, loses none and sends nothing afterwards',
    command: ['tools/test.ts', 'system-tests/drills/frozen-worker.test.ts'],
    withinMinutes: 10,
  },
  {
    proves: 'SECRET_KEY and TSIG_KEY are replaced by their runbooks under load',
    command: ['tools/test.ts', 'system-tests/drills/rotate-keys.test.ts'],
    withinMinutes: 25,
  },
  {
    proves: 'PostgreSQL of Patroni fails over: killed, switched, cut off from etcd, and without the last 3 s',
    command: ['tools/test.ts', 'system-tests/drills/patroni.test.ts'],
    withinMinutes: 15,
  },
  {
    proves:
      "100 random kills of all processes, 10 of them of Patroni's leader: no change and no event is lost, and no answer is wrong",
    command: ['tools/test.ts', 'system-tests/drills/random-kills.test.ts'],
    withinMinutes: 45,
  },
  {
    proves: 'with PostgreSQL 20 ms away, deliveries and changes take few round trips',
    command: ['bench/src/main.ts', 'far'],
    withinMinutes: 10,
  },
  {
    proves:
      'a database that hangs, is full or is frozen: /readyz shows it, reads continue, writes get 503, all recovers',
    command: ['tools/test.ts', 'system-tests/drills/database-faults.test.ts'],
    withinMinutes: 10,
  },
  {
    proves: 'the disk of PostgreSQL is full: the runbook frees it, and no confirmed change is lost',
    command: ['tools/test.ts', 'system-tests/drills/disk-full.test.ts'],
    withinMinutes: 10,
  },
  {
    proves: 'a process whose main loop is blocked is killed and started again; a pause of the machine kills none',
    command: ['tools/test.ts', 'system-tests/drills/watchdog.test.ts'],
    withinMinutes: 5,
  },
  {
    proves:
      'an upgrade from the previous release under load, and the rollback: no request fails, no query is unanswered, every event arrives once',
    command: ['tools/test.ts', 'system-tests/drills/upgrade.test.ts'],
    withinMinutes: 30,
  },
  {
    proves:
      'migrations that are interrupted, by a kill of either side or by a full disk, are completed by the next run',
    command: ['tools/test.ts', 'system-tests/drills/interrupted-migration.test.ts'],
    withinMinutes: 15,
  },
  {
    proves: 'each fault raises its alert by the metrics that it causes, and a healthy installation raises none',
    command: ['tools/test.ts', 'system-tests/drills/alerts.test.ts'],
    withinMinutes: 20,
  },
  {
    proves: 'an hour of mixed load: nothing grows, no request fails, no answer is wrong, every event arrives once',
    command: ['tools/test.ts', 'system-tests/drills/mixed-load.test.ts'],
    withinMinutes: 75,
  },
]
