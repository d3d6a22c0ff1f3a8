import { isUtf8 } from 'node:buffer'
import { Refusal } from '../errors.ts'

/** A body as a text. Other encodings are refused: U+FFFD would be published in place of what they say. */
export function utf8Of(body: Buffer): string {
  if (isUtf8(body)) return body.toString()
  throw new Refusal('malformed_request', 'The body is not UTF-8. Encode it as UTF-8 and send it again.')
}
