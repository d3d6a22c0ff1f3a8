import { InfoCode } from '../../extended-error.ts'

/**
 * What a validator finds (RFC 4035 §4.3): `secure` is signed back to a trust anchor, `insecure` is proven to be unsigned, `bogus` should be signed
 * but has no valid signature, and `indeterminate` means that nothing could be determined.
 */
export type Status = 'secure' | 'insecure' | 'bogus' | 'indeterminate'

/** A finding with the reason for it, as one sentence. */
export interface Verdict {
  readonly status: Status
  readonly reason: string
  /** The extended error that a resolver sends with it (RFC 8914 §4); none if it is secure. */
  readonly infoCode?: number
  /** How long, in seconds, secure data may be cached: at most as long as its signatures are valid (RFC 4035 §5.3.3). */
  readonly maxTtl?: number
}

/** A finding that is not `secure`. */
export interface Doubt extends Verdict {
  readonly status: Exclude<Status, 'secure'>
  readonly infoCode: number
}

export function secure(reason: string, maxTtl: number): Verdict {
  return { status: 'secure', reason: ended(reason), maxTtl }
}

export function bogus(infoCode: number, reason: string): Doubt {
  return { status: 'bogus', infoCode, reason: ended(reason) }
}

export function insecure(infoCode: number, reason: string): Doubt {
  return { status: 'insecure', infoCode, reason: ended(reason) }
}

export function indeterminate(infoCode: number, reason: string): Doubt {
  return { status: 'indeterminate', infoCode, reason: ended(reason) }
}

/** A sentence that ends with a name already has its full stop. */
function ended(sentence: string): string {
  return sentence.replace(/\.\.$/, '.')
}

/**
 * Combines several verdicts. One bogus part makes the whole bogus. Of equal verdicts, the first one is used. Secure data may be cached as long as all
 * of its parts.
 */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  const found = order.flatMap((status) => verdicts.find((verdict) => verdict.status === status) ?? [])[0]
  if (found === undefined) return indeterminate(InfoCode.INVALID_DATA, 'The response has nothing to validate.')
  if (found.status !== 'secure') return found
  return { ...found, maxTtl: Math.min(...verdicts.map(({ maxTtl }) => maxTtl ?? Number.MAX_SAFE_INTEGER)) }
}

const order: readonly Status[] = ['bogus', 'indeterminate', 'insecure', 'secure']
