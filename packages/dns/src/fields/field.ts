import type { DomainName } from '../name.ts'
import type { WireReader } from '../wire-reader.ts'
import type { WireWriter } from '../wire-writer.ts'
import type { Words } from '../words.ts'

/**
 * One part of a record's data, in text and wire form. The fields of a type define its text and wire codecs, the names in its data, and the check that
 * received data is complete.
 *
 * `parse` throws `DnsFault` with a message that completes "MX needs …: ", lower-case and without a full stop.
 */
export interface Field {
  readonly parse: (words: Words, out: WireWriter) => void
  /** The words of the field; `undefined` if parsing them would not give the same bytes, so that the generic form is needed. */
  readonly print: (wire: WireReader) => string | undefined
  /** Skips the field. Throws if it is truncated. */
  readonly skip: (wire: WireReader) => void
  /**
   * Set for a name: `compress` if messages may compress it (only the types of RFC 1035, RFC 3597 §4), `lower` if it is only compared without case
   * (RFC 4034 §6.2), `keep` if signatures cover its case (RFC 6840 §5.1).
   */
  readonly embeds?: 'compress' | 'lower' | 'keep'
  /** Set for a field that may hold names and other data: skips the field and returns its names in order. */
  readonly names?: (wire: WireReader) => DomainName[]
}
