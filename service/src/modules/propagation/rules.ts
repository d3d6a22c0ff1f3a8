import type { ProbeAnswer } from '#ports/dns-probe.ts'

const circle = 2 ** 32

/** Converts a 32-bit serial to the database's: the one nearest to the zone's own (RFC 1982). */
export function widened(serial: number, near: number): number {
  const ahead = (serial - near) % circle
  const positive = ahead < 0 ? ahead + circle : ahead
  return near + (positive >= circle / 2 ? positive - circle : positive)
}

/** A serial as in an SOA. */
export function wireSerial(serial: number): number {
  return serial % circle
}

/** The serial in the answer to an SOA query, in the database's form; undefined if there is none. */
export function serialIn(answer: ProbeAnswer, near: number): number | undefined {
  const [soa] = answer.kind === 'answer' ? answer.records : []
  const text = soa?.split(' ')[2]
  return text === undefined ? undefined : widened(Number(text), near)
}

/** Whether a resolver gives the same answer as a nameserver. For names that others answer, whether it has followed the nameserver's referral. */
export function agrees(resolver: ProbeAnswer, nameserver: ProbeAnswer | undefined): boolean {
  if (resolver.kind !== 'answer' || nameserver?.kind !== 'answer') return false
  const [said, truth] = [resolver.records, nameserver.records]
  if (!nameserver.isWhole) return nameserver.aliases.every((alias) => resolver.aliases.includes(alias))
  return said.length === truth.length && said.every((record, i) => record === truth[i])
}
