import { compareData, type RecordData } from './rdata-wire.ts'

/** The data in canonical order and without duplicates (RFC 2181 §5). */
export function sortedData(data: Iterable<RecordData>): RecordData[] {
  const sorted = [...data].sort(compareData)
  return sorted.filter((item, index) => index === 0 || compareData(item, sorted[index - 1] ?? item) !== 0)
}

/** The items of `data` that are not in `others`. Both are sorted. */
export function missingFrom(others: readonly RecordData[], data: readonly RecordData[]): RecordData[] {
  let at = 0
  return data.filter((item) => {
    let other = others[at]
    while (other !== undefined && compareData(other, item) < 0) other = others[++at]
    return other === undefined || compareData(other, item) !== 0
  })
}
