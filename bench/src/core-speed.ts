import { writeAndReadJson } from '@zonewright/service/json-work'
import { median } from './report.ts'

const looks = 7
const lookMs = 50

/**
 * The current speed of a core of this machine, in megabytes of JSON per second, written and read again.
 *
 * On a host that many virtual machines share, this speed changes within minutes, and with it all measured values.
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
