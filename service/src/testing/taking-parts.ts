import { randomBytes } from 'node:crypto'
import type { Delegate, TakingParts } from '#modules/zones/index.ts'
import { SecretBox } from '#platform/secrets.ts'

/** What making zones live needs, for tests without an API. Without `delegate` no zone delegates to another. */
export function takingParts(delegate: Delegate = async () => undefined): TakingParts {
  return { delegate, secrets: new SecretBox(randomBytes(32)), site: 'http://dashboard.test' }
}
