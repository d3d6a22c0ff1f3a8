// `npm run ci`: every gate in one order, on a laptop and in .ci/run alike. Ends with the duration of each gate and the tally of all tests. Tests that
// take long and rarely fail are in `npm run nightly`.
import { runGates } from './local/gates.ts'

await runGates(
  [
    [
      { proves: 'released migrations have not changed', command: ['tools/migrations.ts', '--check'] },
      { proves: 'format, lint and import rules', command: ['node_modules/@biomejs/biome/bin/biome', 'ci', '.'] },
      { proves: 'import rules match the levels of modules', command: ['tools/import-rules.ts', '--check'] },
      { proves: 'types', command: ['node_modules/typescript/bin/tsc', '-b'] },
      { proves: 'no unused code or packages', command: ['node_modules/knip/bin/knip.js'] },
      { proves: 'no code that only its tests use', command: ['node_modules/knip/bin/knip.js', '--production'] },
      { proves: 'few production packages, each with a reason', command: ['tools/counts.ts'] },
      {
        proves: 'openapi.json and the list of routes match the contract',
        command: ['tools/openapi.ts', '--check'],
      },
      {
        proves: 'docs/customers has the configurations of clients that the dashboard shows',
        command: ['tools/client-pages.ts', '--check'],
      },
      { proves: 'openapi.json has no faults and no warnings', command: ['tools/openapi-lint.ts'] },
      { proves: 'docs/reference/locks.md matches the SQL', command: ['tools/locks.ts', '--check'] },
      { proves: 'docs/tables.md matches the migrations', command: ['tools/tables.ts', '--check'] },
    ],
    [{ proves: 'tests', command: ['tools/test.ts'], withinMinutes: 30 }],
    // In parallel, because conformance mostly waits for other programs. The tests run before, because in parallel with these gates, flows miss their
    // time limits.
    [
      // In one process, where files share an installation and a browser. Thousands of zones would slow down the other files of a shared one. The
      // orders take a quarter of the time, and are in the shorter gate.
      {
        proves: 'the dashboard in a browser',
        command: [
          'tools/test.ts',
          '--test-isolation=none',
          'system-tests/dashboard/!(long-lists|orders|zones).test.ts',
        ],
        withinMinutes: 40,
      },
      {
        proves: 'the dashboard with orders, with thousands of zones, and with free subdomains',
        command: ['tools/test.ts', '--test-concurrency=1', 'system-tests/dashboard/{long-lists,orders,zones}.test.ts'],
        withinMinutes: 40,
      },
      {
        proves: 'conformance, and every route on the oldest PostgreSQL',
        command: ['tools/conformance.ts'],
        withinMinutes: 40,
      },
    ],
  ],
  'the bar is 720 s on 2 idle cores',
)
