import { isRaw, type RawBody } from '@zonewright/contract'
import { foreignBytes, foreignJson } from '@zonewright/dns'
import type { z } from 'zod'
import { Refusal } from '../errors.ts'
import { utf8Of } from './utf8.ts'

/** Whether a route takes a zone file. */
export function isZoneFile(body: z.ZodType | RawBody | undefined): boolean {
  return isRaw(body) && body.raw === 'text/dns'
}

/**
 * A zone file as a text, its byte order mark included. PowerShell and Notepad write UTF-16, which is read if it begins with a mark.
 *
 * @throws Refusal `validation_failed` for what is no text, naming its format; `malformed_request` for other encodings
 */
export function zoneFileText(body: Buffer): string {
  const why = foreignBytes(body)
  if (why !== undefined) throw notAZoneFile(why)
  const mark = body.length % 2 === 0 ? body.subarray(0, 2).toString('hex') : ''
  if (mark !== 'fffe' && mark !== 'feff') return utf8Of(body)
  const text = (mark === 'fffe' ? body : Buffer.from(body).swap16()).toString('utf16le')
  if (!text.isWellFormed())
    throw new Refusal('malformed_request', 'The body is not valid UTF-16. Save it as UTF-8, and send it again.')
  return text
}

/** Bytes of JSON that tell whose it is. */
const headBytes = 16 * 1024

/** Refuses JSON of other DNS services in one sentence, which their members would be told in many. */
export function refuseForeignJson(wanted: z.ZodType | RawBody | undefined, value: unknown): void {
  if (!isZoneFile(wanted) || typeof value !== 'object' || value === null || isOwn(value)) return
  const why = foreignJson(JSON.stringify(value).slice(0, headBytes))
  if (why !== undefined) throw notAZoneFile(why)
}

/** Whether it has record sets as our API has them. In PowerDNS, records are objects. */
function isOwn(value: object): boolean {
  const [first] = 'rrsets' in value && Array.isArray(value.rrsets) ? value.rrsets : [undefined]
  return 'rrsets' in value && typeof first?.records?.[0] !== 'object'
}

function notAZoneFile(message: string): Refusal {
  return new Refusal('validation_failed', message, { details: [{ code: 'not_a_zone_file', message }] })
}
