import type { OrderKind, WireQuote } from '@zonewright/contract'
import { kobo, tryPromo } from '#modules/billing/index.ts'
import { domainNamed } from '#modules/domains/index.ts'
import { absenceIn, isOfAnother } from '#modules/registry-commands/index.ts'
import { parseOfferedName, priceOf } from '#modules/tlds/index.ts'
import { isServiceName, serviceNameMessage, serviceNamesOf } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { type Db, databaseNow } from '#platform/postgres/index.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import { type DomainCheck, type Reading, type Registries, type Registry, sameId } from '#ports/registry.ts'
import type { Quote } from './quote-store.ts'

/** The name and the kind of order that a caller wants to know the price of. */
export interface QuoteWish {
  readonly accountId: string
  readonly kind: OrderKind
  readonly name: string
  readonly years: number
  readonly promoCode: string
}

export type NewQuote = Omit<Quote, 'expiresAt' | 'isExpired'>

/** What is sold, and where. `nameservers`: host names of ours. */
export interface Selling {
  readonly tlds: readonly TldSetting[]
  readonly registries: Registries
  readonly nameservers: readonly string[]
}

/**
 * Calculates a quote: queries the registry, outside any transaction, and checks the promo code.
 *
 * Throws `tld_unsupported`, `registry_unavailable`, `not_renewable`, `domain_locked`, `name_unavailable`, `promo_invalid`, `promo_in_use`.
 */
export async function workOutQuote(
  db: Db,
  { tlds, registries, nameservers }: Selling,
  wish: QuoteWish,
): Promise<NewQuote> {
  const { name, tld } = parseOfferedName(wish.name, tlds)
  if (wish.kind !== 'renew') refuseOurs(name, nameservers)
  const years = wish.kind === 'transfer' ? 1 : wish.years
  if (years > tld.maxYears)
    throw new Refusal(
      'validation_failed',
      `A .${tld.tld} domain can be registered for at most ${tld.maxYears} years.`,
      {
        details: [{ path: '/years', code: 'too_many', message: `At most ${tld.maxYears}.` }],
      },
    )
  const registry = registries.registryOf(name)
  if (registry === undefined) throw registryUnavailable()
  const [check] = answerOf(await registry.domains.check([name], years))
  if (check === undefined) throw registryUnavailable()
  const standing = await standingOf[wish.kind]({ db, registry, tld, accountId: wish.accountId, name, years, check })
  const [price, renewal] = [priceOf(tld, check, wish.kind, years), priceOf(tld, check, 'renew', years)]
  // A quote for a new name also shows the renewal price.
  if (price.kobo === undefined || renewal.kobo === undefined)
    throw new Refusal('name_unavailable', `${name} is not available here, because its registry gives no price for it.`)
  const { promoCode, promoKobo } = await promoOf(db, wish, tld.tld, price.kobo)
  return {
    id: newId('quo'),
    accountId: wish.accountId,
    kind: wish.kind,
    name,
    tld: tld.tld,
    years,
    available: standing.available,
    premium: price.isPremium,
    amountKobo: price.kobo,
    promoCode,
    promoKobo,
    renewalKobo: Math.ceil(renewal.kobo / years),
    fee: price.fee,
    oldExpiry: standing.oldExpiry,
    requirements: requirementsOf(wish.kind, tld),
  }
}

/** Throws `name_unavailable` for a domain at, above or below the names that the service uses, because these are not for sale. */
export function refuseOurs(name: string, nameservers: readonly string[]): void {
  if (isServiceName(name, serviceNamesOf(nameservers))) throw new Refusal('name_unavailable', serviceNameMessage(name))
}

interface Asked {
  readonly db: Db
  readonly registry: Registry
  readonly tld: TldSetting
  readonly accountId: string
  readonly name: string
  readonly years: number
  readonly check: DomainCheck
}

type Standing = { readonly available: boolean; readonly oldExpiry: Date | null }

/** A registration may end at most this many years from now (RFC 5731 leaves the limit to policy; all generic TLDs use ten). */
const furthestYears = 10

const standingOf: Readonly<Record<OrderKind, (asked: Asked) => Promise<Standing>>> = {
  register: async ({ check }) => ({ available: check.isAvailable, oldExpiry: null }),

  renew: async ({ db, registry, accountId, name, years }) => {
    const domain = await domainNamed(db, name)
    if (domain === undefined || domain.accountId !== accountId || domain.state !== 'held')
      throw new Refusal('not_renewable', `${name} is not a domain of this account.`)
    const reading = await registry.domains.info(name)
    // This may be a fault of the registry: lookups an hour apart decide whether the domain is gone.
    if (absenceIn(reading) !== undefined) throw registryUnavailable()
    const info = answerOf(reading, 'not_renewable')
    const { expiresAt } = info
    if (!sameId(info.sponsor, registry.registrarId) || expiresAt === null || info.statuses.includes('pendingDelete'))
      throw new Refusal('not_renewable', `The registry does not allow a renewal of ${name} in its current state.`)
    const now = await databaseNow(db)
    if (!isWithinReach(expiresAt, years, now)) throw tooLong(expiresAt, years, now)
    return { available: true, oldExpiry: expiresAt }
  },

  transfer: async ({ db, registry, name, check }) => {
    if (check.isAvailable) throw new Refusal('name_unavailable', `${name} is not registered. Register it instead.`)
    const reading = await registry.domains.info(name)
    if (isOfAnother(reading)) {
      // A refusal for a domain of ours is a fault of the registry.
      if ((await domainNamed(db, name))?.state === 'held') throw registryUnavailable()
      // The transfer itself shows whether the domain is locked.
      return { available: true, oldExpiry: null }
    }
    const info = answerOf(reading, 'name_unavailable')
    if (sameId(info.sponsor, registry.registrarId))
      throw new Refusal('name_unavailable', `${name} is already registered here.`)
    if (info.statuses.some((status) => /TransferProhibited$/.test(status)))
      throw new Refusal('domain_locked', `${name} is locked. Unlock it at its current registrar, then try again.`)
    if (info.statuses.includes('pendingTransfer'))
      throw new Refusal('domain_locked', `A transfer of ${name} is already in progress.`)
    return { available: true, oldExpiry: null }
  },
}

/** Whether a registration that is renewed for these years ends soon enough. */
function isWithinReach(expiresAt: Date, years: number, now: Date): boolean {
  const earliest = new Date(expiresAt)
  earliest.setUTCFullYear(earliest.getUTCFullYear() + years - furthestYears)
  return earliest <= now
}

/** Names the longest period that is possible, if there is one. */
function tooLong(expiresAt: Date, years: number, now: Date): Refusal {
  let most = years - 1
  while (most > 0 && !isWithinReach(expiresAt, most, now)) most--
  const limit = `A registration can run for at most ${furthestYears} years from now.`
  if (most === 0) return new Refusal('not_renewable', limit)
  const message = `${limit} Choose at most ${most === 1 ? '1 year' : `${most} years`}.`
  return new Refusal('not_renewable', message, { details: [{ path: '/years', code: 'too_many', message }] })
}

/** The registry's answer. Throws a refusal if the query failed. */
function answerOf<T>(reading: Reading<T>, refused: 'name_unavailable' | 'not_renewable' = 'name_unavailable'): T {
  if (reading.kind === 'done') return reading.value
  if (reading.kind === 'refused') throw new Refusal(refused, `The registry says: ${reading.reply.message}.`)
  throw registryUnavailable()
}

export function registryUnavailable(): Refusal {
  return new Refusal('registry_unavailable', 'The registry is not responding. Try again in a minute.', {
    headers: { 'retry-after': '60' },
  })
}

async function promoOf(db: Db, wish: QuoteWish, tld: string, amount: number) {
  if (wish.promoCode.trim() === '') return { promoCode: '', promoKobo: 0 }
  const { promo, obstacle, promoKobo } = await tryPromo(db, wish.promoCode, { ...wish, tld }, kobo(amount))
  if (obstacle !== undefined || promo === undefined)
    throw new Refusal(obstacle?.code ?? 'promo_invalid', obstacle?.message ?? 'This promo code does not exist.')
  return { promoCode: promo.code, promoKobo }
}

function requirementsOf(kind: OrderKind, { contactFields }: TldSetting): WireQuote['requirements'] {
  return {
    contact: kind === 'register',
    auth_code: kind === 'transfer',
    contact_fields:
      kind === 'register'
        ? contactFields.map((field) => ({ ...field, values: field.values && [...field.values] }))
        : [],
  }
}
