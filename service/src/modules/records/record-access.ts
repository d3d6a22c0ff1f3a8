import type { CalledZone } from '#http/call.ts'
import { RecordLimits } from '#modules/api-keys/index.ts'
import type { Caller } from '#platform/caller.ts'
import { holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { keyOf } from './rrset.ts'

/** The owner name and type of a record set, in canonical form. */
interface Target {
  readonly name: string
  readonly type: string
}

/**
 * Which record sets of a zone a caller can read and change: what its permissions open, within the limits of its key. All code that shows or
 * changes records for a caller uses this class.
 *
 * A write must not reveal what the caller cannot read (design: api, "Who may call").
 */
export class RecordAccess {
  readonly #caller: Caller
  readonly #zone: Pick<CalledZone, 'name' | 'limits'>
  /** Undefined: there are none. */
  readonly limits: RecordLimits | undefined

  constructor(caller: Caller, zone: Pick<CalledZone, 'name' | 'limits'>) {
    this.#caller = caller
    this.#zone = zone
    this.limits = zone.limits ? new RecordLimits(zone.name, zone.limits) : undefined
  }

  /** Whether it can read every record set of the zone. */
  get readsAll(): boolean {
    return this.limits === undefined && holds(this.#caller, 'records:read')
  }

  /** Whether it can change every record set of the zone. */
  get changesAll(): boolean {
    return this.limits === undefined && holds(this.#caller, 'records:write')
  }

  /** Whether it can read only ACME challenges, like a key with `acme:dns01` that lacks `records:read`. */
  get readsOnlyAcme(): boolean {
    return this.#isOnlyAcme('records:read')
  }

  mayRead(rrset: Target): boolean {
    const opens = holds(this.#caller, 'records:read') || (holds(this.#caller, 'acme:dns01') && isAcmeChallenge(rrset))
    return opens && (this.limits === undefined || this.limits.covers(rrset))
  }

  /** Whether an error can name a conflicting rrset to the caller: one that it can read, or has sent itself. */
  mayReveal(sent: readonly Target[]): (rrset: Target) => boolean {
    if (this.readsAll) return () => true
    const own = new Set(sent.map(keyOf))
    return (rrset) => own.has(keyOf(rrset)) || this.mayRead(rrset)
  }

  refuseRead(rrset: Target): void {
    this.#refuse('records:read', rrset)
  }

  /** Refuses a whole request if this change of it is not allowed. */
  refuseChange(rrset: Target): void {
    this.#refuse('records:write', rrset)
  }

  /** Refuses a change of the whole zone to a key with limits. */
  refuseWholeZone(): void {
    if (this.limits) throw this.#isLimited()
  }

  #isOnlyAcme(wider: 'records:read' | 'records:write'): boolean {
    return !holds(this.#caller, wider) && holds(this.#caller, 'acme:dns01')
  }

  #refuse(wider: 'records:read' | 'records:write', rrset: Target): void {
    if (this.limits?.covers(rrset) === false) throw this.#isLimited()
    if (!this.#isOnlyAcme(wider) || isAcmeChallenge(rrset)) return
    throw new Refusal(
      'forbidden',
      `This key can change only TXT records named _acme-challenge. ${rrset.name} ${rrset.type} requires the permission ${wider}.`,
    )
  }

  /** It names the limits, and not what is outside them. */
  #isLimited(): Refusal {
    const which = this.limits?.text === '' ? 'no records' : `these records: ${this.limits?.text}`
    return new Refusal('forbidden', `In ${this.#zone.name}, this key is limited to ${which}.`)
  }
}

/** TXT records named `_acme-challenge` or `_acme-challenge.<sub>` within the zone (specification, "Permissions"). */
function isAcmeChallenge(rrset: Target): boolean {
  return rrset.type === 'TXT' && rrset.name.startsWith('_acme-challenge.')
}
