import type { Field } from './fields/field.ts'
import type { RrType } from './type.ts'

/** A record type as its file under `types/` declares it; everything that can be done with its data follows from `fields`. */
export interface RecordType {
  readonly type: RrType
  /** What the data consists of, with an example: completes "MX needs …" for a person. */
  readonly needs: string
  readonly fields: readonly Field[]
  /**
   * Off the wire and in the generic form any bytes are taken, and given back in the generic form when they do not parse.
   *
   * For types that were served without a codec before they got one: zones may hold such data, and must go on being published and
   * transferred (RFC 3597). What customers write parses all the same (`recordValue`).
   */
  readonly isOpaque?: true
  /** What may not be written although it reads, since zones may have it from before; undefined: nothing. Completes `needs`. */
  readonly writeFault?: (data: Uint8Array) => string | undefined
}
