import { type TestContext, test } from 'node:test'

/** Whether the tests run in full: `npm run nightly` sets NIGHTLY. */
export const isNightly = process.env['NIGHTLY'] !== undefined

/**
 * A test of `npm run nightly` alone. It takes most of a minute or longer and covers what seldom breaks, or another test of its file shows the
 * same behaviour in a case that is quicker or more frequent.
 */
export const nightlyTest: (name: string, work: (t: TestContext) => Promise<void> | void) => void = isNightly
  ? test
  : () => undefined
