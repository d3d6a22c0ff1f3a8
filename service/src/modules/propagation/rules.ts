import type { ProbeAnswer } from '#ports/dns-probe.ts'

const circle = 2 ** 32

/** A serial of the wire as the database counts: the one nearest to the zone's own (RFC 1982). */
export function widened(serial: number, near: number): number {
  const ahead = (serial - near) % circle
  const positive = ahead < 0 ? ahead + circle : ahead
  return near + (positive >= circle / 2 ? positive - circle : positive)
}

/** As a SOA has it. */
export function wireSerial(serial: number): number {
  return serial % circle
}

/** The serial in the answer to a question for the SOA, as the database counts; undefined when there is none. */
export function serialIn(answer: ProbeAnswer, near: number): number | undefined {
  const [soa] = answer.kind === 'answer' ? answer.records : []
  const text = soa?.split(' ')[2]
  return text === undefined ? undefined : widened(Number(text), near)
}

/** Do two servers say the same? */
export function isSame(a: ProbeAnswer | undefined, b: ProbeAnswer | undefined): boolean {
  if (a?.kind !== 'answer' || b?.kind !== 'answer') return false
  return a.records.length === b.records.length && a.records.every((record, i) => record === b.records[i])
}
