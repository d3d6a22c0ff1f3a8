import { location } from '../fields/location.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The geographic location of something (RFC 1876). */
export const loc: RecordType = {
  type: RrType.LOC,
  needs:
    'a latitude, a longitude, an altitude and perhaps a size and two precisions, ' +
    'such as `42 21 54 N 71 6 18 W -24m 30m 10000m 10m`',
  fields: [location()],
}
