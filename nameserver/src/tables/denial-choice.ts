import {
  announcesChain,
  DnsFault,
  equalData,
  nameFromWire,
  nsec3ParametersFromRdata,
  type RecordData,
  RrType,
} from '@zonewright/dns'
import type { Owner } from './owners.ts'

/** How a zone proves that names do not exist: with the NSEC3 chain that this NSEC3PARAM announces, with NSEC, or not at all. */
export type DenialChoice = RecordData | 'nsec' | 'none'

/** Each negative answer computes this many hashes. RFC 5155 §10.3 allows 500 for keys of 2048 bits, and RFC 9276 advises 0. */
const mostIterations = 500

/**
 * The kinds of denial that the apex allows, the preferred one first. An announced chain counts only if the apex is part of it.
 *
 * @throws DnsFault `too_many_iterations`
 */
export function denialChoices({ name, rrsets }: Owner): DenialChoice[] {
  const announced = rrsets.find(({ type }) => type === RrType.NSEC3PARAM)?.data.filter(announcesChain) ?? []
  for (const nsec3param of announced) {
    const { iterations } = nsec3ParametersFromRdata(nsec3param)
    if (iterations <= mostIterations) continue
    const zone = nameFromWire(name)
    throw new DnsFault(
      'too_many_iterations',
      `NSEC3 of ${zone} has ${iterations} iterations; at most ${mostIterations} are served.`,
    )
  }
  const hasNsec = rrsets.some(({ type }) => type === RrType.NSEC)
  return [...announced, ...(hasNsec ? (['nsec'] as const) : []), 'none']
}

/** The NSEC3PARAM of a choice, if it is one. */
export function announcedBy(choice: DenialChoice): RecordData | undefined {
  return typeof choice === 'string' ? undefined : choice
}

export function isSameChoice(a: DenialChoice, b: DenialChoice): boolean {
  return typeof a === 'string' || typeof b === 'string' ? a === b : equalData(a, b)
}
