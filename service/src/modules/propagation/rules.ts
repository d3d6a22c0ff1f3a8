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

/** Does a resolver say what a nameserver says? Of what is for others to say, that it has gone the nameserver's way to them. */
export function agrees(resolver: ProbeAnswer, nameserver: ProbeAnswer | undefined): boolean {
  if (resolver.kind !== 'answer' || nameserver?.kind !== 'answer') return false
  const [said, truth] = [resolver.records, nameserver.records]
  if (!nameserver.isWhole) return nameserver.aliases.every((alias) => resolver.aliases.includes(alias))
  return said.length === truth.length && said.every((record, i) => record === truth[i])
}
