import type { Field } from './fields/field.ts'
import type { RrType } from './type.ts'

/** A record type as declared in its file under `types/`. All operations on its data follow from `fields`. */
export interface RecordType {
  readonly type: RrType
  /** What the data consists of, with an example: completes "MX needs …" for a person. */
  readonly needs: string
  readonly fields: readonly Field[]
  /**
   * On the wire and in the generic form, any bytes are accepted. Bytes that do not parse are written in the generic form.
   *
   * For types that were served before they had a codec: zones may hold such data, which must still be published and
   * transferred (RFC 3597). Values that customers write must parse anyway (`recordValue`).
   */
  readonly isOpaque?: true
  /** Why data is refused in new records although it parses, because zones may already hold it; undefined if it is fine. Completes `needs`. */
  readonly writeFault?: (data: Uint8Array) => string | undefined
}
