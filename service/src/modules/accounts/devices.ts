import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Tx } from '#platform/postgres/index.ts'
import { addDevice, deviceDays, knownDevice, renewDevice } from './devices-store.ts'

/** Number of accounts that one browser can be known to. */
const mostIds = 10

/**
 * The cookie that recognizes a browser after a complete sign-in: ids with a signature, `id.id.signature`.
 *
 * Each account that signs in from the browser adds its own id. The database stores its SHA-256 with the account, so an id is useless for other
 * accounts, and for any account after its row was deleted.
 */
export class DeviceCookie {
  readonly name: string
  readonly attributes: {
    readonly httpOnly: true
    readonly sameSite: 'lax'
    readonly secure: boolean
    readonly path: string
    readonly maxAge: number
  }
  readonly #secret: string

  constructor(secret: string, publicUrl: string) {
    const secure = publicUrl.startsWith('https:')
    this.#secret = secret
    this.name = `${secure ? '__Secure-' : ''}zonewright.device`
    this.attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/api', maxAge: deviceDays * 24 * 60 * 60 }
  }

  /** The ids in a request's Cookie header; none if the signature is not ours. */
  read(header: string | undefined | null): string[] {
    const prefix = `${this.name}=`
    const cookie = header?.split(/; */).find((each) => each.startsWith(prefix))
    const [, signed = '', signature = ''] =
      /^([\w.-]{1,400})\.([\w-]{43})$/.exec(cookie?.slice(prefix.length) ?? '') ?? []
    if (signed === '' || !timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(signed)))) return []
    return signed.split('.')
  }

  /** The cookie's value for these ids. */
  write(ids: readonly string[]): string {
    const signed = ids.slice(-mostIds).join('.')
    return `${signed}.${this.#sign(signed)}`
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(`known devices ${text}`).digest('base64url')
  }
}

/** The form of an id in the database. */
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
