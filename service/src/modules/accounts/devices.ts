import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '#platform/postgres/index.ts'
import type { AuthSecrets } from './auth-secrets.ts'
import { addDevice, deviceDays, knownDevice, renewDevice } from './devices-store.ts'
import { OwnCookie } from './own-cookie.ts'

/** Maximum number of accounts for which one browser can be a known device. */
const mostIds = 10

/**
 * The cookie that recognizes a browser after a complete sign-in: ids with a signature, `id.id.signature`.
 *
 * Each account that signs in from the browser adds its own id. The database stores its SHA-256 with the account, so an id is useless for other
 * accounts, and for any account after its row was deleted.
 */
export class DeviceCookie extends OwnCookie {
  readonly #secrets: AuthSecrets

  constructor(secrets: AuthSecrets, publicUrl: string) {
    super('zonewright.device', publicUrl, deviceDays * 24 * 60 * 60)
    this.#secrets = secrets
  }

  /** The ids in a request's Cookie header; none if the signature is not ours. */
  read(header: string | undefined | null): string[] {
    const [, signed = '', signature = ''] = /^([\w.-]{1,400})\.([\w-]{43})$/.exec(this.valueIn(header)) ?? []
    const mac = Buffer.from(signature, 'base64url')
    // Several texts decode to the same bytes.
    const isOurs = mac.toString('base64url') === signature && this.#secrets.hasSigned(purposeOf(signed), mac)
    return isOurs ? signed.split('.') : []
  }

  /** The cookie's value for these ids. */
  write(ids: readonly string[]): string {
    const signed = ids.slice(-mostIds).join('.')
    return `${signed}.${this.#secrets.sign(purposeOf(signed)).toString('base64url')}`
  }
}

/** The signed text. Its prefix prevents a signature of anything else from counting as one of devices. */
function purposeOf(ids: string): string {
  return `known devices ${ids}`
}

/** The form in which the database stores an id. */
export function deviceHash(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}

/**
 * Makes the browser with these ids a known device of the account, after a complete sign-in.
 *
 * Returns the ids for its cookie, and whether it was known before.
 */
export async function rememberDevice(
  tx: Tx,
  { accountId, sessionId, ids }: { accountId: string; sessionId: string; ids: readonly string[] },
): Promise<{ readonly ids: readonly string[]; readonly wasKnown: boolean }> {
  const device = await knownDevice(tx, accountId, ids.map(deviceHash))
  if (device !== undefined) {
    await renewDevice(tx, accountId, device, sessionId)
    return { ids, wasKnown: true }
  }
  // Never reuse an id from the request: an attacker may have planted it in the browser.
  const id = randomBytes(16).toString('base64url')
  await addDevice(tx, accountId, deviceHash(id), sessionId)
  return { ids: [...ids, id], wasKnown: false }
}
