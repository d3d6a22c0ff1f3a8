import { writeAndReadJson } from '@zonewright/service/json-work'
import { median } from './report.ts'

const looks = 7
const lookMs = 50

/**
 * How fast a core of this machine is at this moment, in megabytes of JSON a second, written and read again.
 *
 * Where many virtual machines share one real one, its speed changes within minutes, and all figures with it.
 */
export function coreSpeed(): number {
  return median(Array.from({ length: looks }, megabytesASecond))
}

function megabytesASecond(): number {
  const began = performance.now()
  let bytes = 0
  while (performance.now() - began < lookMs) bytes += writeAndReadJson()
  return bytes / 1_000 / (performance.now() - began)
}
