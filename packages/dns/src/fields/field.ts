import type { DomainName } from '../name.ts'
import type { WireReader } from '../wire-reader.ts'
import type { WireWriter } from '../wire-writer.ts'
import type { Words } from '../words.ts'

/**
 * One part of a record's data, in both of its forms. Field by field a type gets its text and wire codecs, the names in
 * it, and the check that data off the wire is whole.
 *
 * `parse` throws `DnsFault` with a message that completes "MX needs …: ", lower-case and without a full stop.
 */
export interface Field {
  readonly parse: (words: Words, out: WireWriter) => void
  /** The words of the field; `undefined` when they would not read as the same bytes, so that the generic form is due. */
  readonly print: (wire: WireReader) => string | undefined
  /** Steps over the field, throwing when it is cut short. */
  readonly skip: (wire: WireReader) => void
  /**
   * Set for a name: `compress` where messages may compress it (the types of RFC 1035 alone, RFC 3597 §4), `lower` where
   * it is only compared without case (RFC 4034 §6.2), `keep` where signatures cover its case (RFC 6840 §5.1).
   */
  readonly embeds?: 'compress' | 'lower' | 'keep'
  /** Set for a field that may hold names and other data: skips the field and returns its names in order. */
  readonly names?: (wire: WireReader) => DomainName[]
}
