import { isRaw, type RawBody } from '@zonewright/contract'
import { foreignBytes, foreignJson } from '@zonewright/dns'
import type { z } from 'zod'
import { Refusal } from '../errors.ts'
import { utf8Of } from './utf8.ts'

/** Whether a route accepts a zone file. */
export function isZoneFile(body: z.ZodType | RawBody | undefined): boolean {
  return isRaw(body) && body.raw === 'text/dns'
}

/**
 * The text of a zone file, with its byte order mark. UTF-16, which PowerShell and Notepad write, is read if it begins with one.
 *
 * @throws Refusal `validation_failed` if the body is in a known format that is not text, and names it; `malformed_request` for other encodings
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

/** Characters at the start of JSON in which the formats of other services are recognized. */
const headCharacters = 16 * 1024

/** Refuses JSON of other DNS services with one fault that names the service, instead of one for each of its members. */
export function refuseForeignJson(wanted: z.ZodType | RawBody | undefined, value: unknown): void {
  if (!isZoneFile(wanted) || typeof value !== 'object' || value === null || isOwn(value)) return
  const why = foreignJson(JSON.stringify(value).slice(0, headCharacters))
  if (why !== undefined) throw notAZoneFile(why)
}

/** Whether JSON has the record sets of our API, whose records are strings. Those of PowerDNS are objects. */
function isOwn(value: object): boolean {
  const [first] = 'rrsets' in value && Array.isArray(value.rrsets) ? value.rrsets : [undefined]
  return 'rrsets' in value && typeof first?.records?.[0] !== 'object'
}

function notAZoneFile(message: string): Refusal {
  return new Refusal('validation_failed', message, { details: [{ code: 'not_a_zone_file', message }] })
}
