import type { Field } from './fields/field.ts'
import type { RrType } from './type.ts'

/** A record type as its file under `types/` declares it; everything that can be done with its data follows from `fields`. */
export interface RecordType {
  readonly type: RrType
  /** What the data consists of, with an example: completes "MX needs …" for a person. */
  readonly needs: string
  readonly fields: readonly Field[]
}
