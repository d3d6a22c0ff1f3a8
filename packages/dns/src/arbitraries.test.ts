import fc from 'fast-check'
import type { DomainName } from './name.ts'
import { nameFromWire } from './name-wire.ts'

/** Values for property tests. Contains no tests. */

export const anyLabelBytes = fc.uint8Array({ minLength: 1, maxLength: 12 })

const hostLabel = fc
  .stringMatching(/^[a-z0-9]{1,10}$/)
  .map((text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)))

/** Any name, including unusual bytes. */
export const anyName: fc.Arbitrary<DomainName> = fc
  .array(fc.oneof(hostLabel, anyLabelBytes), { maxLength: 6 })
  .map((labels) => nameFromWire(Uint8Array.from([...labels.flatMap((label) => [label.length, ...label]), 0])))

/** A name from a few labels, so that several names share a suffix. */
export const hostName: fc.Arbitrary<DomainName> = fc
  .array(fc.constantFrom('www', 'mail', 'ns1', 'a', 'example', 'com'), { minLength: 1, maxLength: 5 })
  .map((labels) => `${labels.join('.')}.` as DomainName)
