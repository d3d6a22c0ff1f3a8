import { randomBytes } from 'node:crypto'
import type { AddingParts, Delegate } from '#modules/zones/index.ts'
import { SecretBox } from '#platform/secrets.ts'

/** The dependencies of making zones live, for tests without an API: no one has a domain. Without `delegate`, no zone delegates to another. */
export function takingParts(delegate: Delegate = async () => undefined): AddingParts {
  return {
    delegate,
    holdsDomain: async () => false,
    secrets: new SecretBox(randomBytes(32)),
    site: 'http://dashboard.test',
  }
}
