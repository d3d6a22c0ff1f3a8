import { createHash } from 'node:crypto'
import type { SecretBox } from '#platform/secrets.ts'
import { refused } from './connect-request.ts'
import type { ConnectTemplate } from './connect-template.ts'

/** How long the page of a link can be open until the token expires. */
const validForMs = 60 * 60_000

/** A link that was checked, and the account that it was checked for. */
interface CheckedRequest {
  readonly accountId: string
  /** The path and query of the link. */
  readonly target: string
  readonly template: Pick<ConnectTemplate, 'id' | 'syncPubKeyDomain'>
}

/** Proves that a link and its signature were checked for this account. Only the page of the link has the token, so no other site can apply it. */
export function tokenFor(secrets: SecretBox, checked: CheckedRequest, now: Date): string {
  return secrets.sealLink('domain connect request', JSON.stringify([now.getTime() + validForMs, digestOf(checked)]))
}

/** Throws a Refusal unless the token is for this link and account, and not too old. */
export function checkToken(secrets: SecretBox, token: string, checked: CheckedRequest, now: Date): void {
  const [until, digest] = contentOf(secrets, token)
  if (digest !== digestOf(checked) || until < now.getTime())
    throw refused('expired', 'The page was open for too long. Reload it, and check the changes again.')
}

function contentOf(secrets: SecretBox, token: string): [until: number, digest: string] {
  try {
    return JSON.parse(secrets.openLink('domain connect request', token))
  } catch {
    return [0, '']
  }
}

function digestOf({ accountId, target, template }: CheckedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, target, template.id, template.syncPubKeyDomain ?? null]))
    .digest('base64url')
}
