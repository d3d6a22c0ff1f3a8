import { type TestContext, test } from 'node:test'

/** Whether the tests run in full: `npm run nightly` sets NIGHTLY. */
export const isNightly = process.env['NIGHTLY'] !== undefined

/**
 * A test that only `npm run nightly` runs. Either it takes about a minute or longer and covers something that rarely breaks, or another test of its
 * file shows the same behavior in a faster or more common case.
 */
export const nightlyTest: (name: string, work: (t: TestContext) => Promise<void> | void) => void = isNightly
  ? test
  : () => undefined
