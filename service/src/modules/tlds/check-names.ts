import type { OrderKind, WireCheckedName } from '@zonewright/contract'
import { isServiceName, serviceNameMessage } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import type { DomainCheck, Registries } from '#ports/registry.ts'
import { type OfferedName, parseOfferedName } from './domain-name.ts'
import { type Price, priceOf } from './prices.ts'

/** Maximum number of names in one call, after every label is combined with every TLD. */
export const maxCheckedNames = 50

/** The state of each name, in the requested order. The error of one name is returned with it, and does not affect the others. */
export async function checkNames(
  registries: Registries,
  sold: readonly TldSetting[],
  asked: readonly string[],
  serviceNames: readonly string[],
): Promise<WireCheckedName[]> {
  const wishes = asked.map((text) => ({ text, ...parsed(text, sold, serviceNames) }))
  const offered = wishes.flatMap(({ offer }) => offer ?? [])
  const byRegistry = Map.groupBy(offered, ({ name }) => registries.registryOf(name))
  const checks = new Map<string, DomainCheck>()
  await Promise.all(
    [...byRegistry].map(async ([registry, names]) => {
      const reading = await registry?.domains.check([...new Set(names.map(({ name }) => name))], 1)
      if (reading?.kind === 'done') for (const check of reading.value) checks.set(check.name, check)
    }),
  )
  return wishes.map((wish) => {
    if (wish.offer !== undefined) return answerFor(wish.offer, checks.get(wish.offer.name))
    return unknown(wish.text, wish.reason, wish.message)
  })
}

/** The names to check: a label without a dot is combined with each TLD. */
export function namesOf(names: readonly string[], tlds: readonly string[]): string[] {
  return names.flatMap((name) => (name.includes('.') ? [name] : tlds.map((tld) => `${name}.${tld.replace(/^\./, '')}`)))
}

function parsed(
  text: string,
  sold: readonly TldSetting[],
  serviceNames: readonly string[],
): { offer: OfferedName } | { offer: undefined; reason: 'reserved' | 'tld_unsupported' | 'bad_name'; message: string } {
  try {
    const offer = parseOfferedName(text, sold)
    if (!isServiceName(offer.name, serviceNames)) return { offer }
    return { offer: undefined, reason: 'reserved', message: serviceNameMessage(offer.name) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error
    return { offer: undefined, reason: code === 'tld_unsupported' ? code : 'bad_name', message }
  }
}

function answerFor({ name, tld }: OfferedName, check: DomainCheck | undefined): WireCheckedName {
  if (check === undefined)
    return unknown(name, 'registry_unavailable', 'The registry is not responding. Try again in a minute.')
  if (!check.isAvailable && isReserved(check))
    return unknown(name, 'reserved', `The registry has reserved ${name}: ${check.reason}.`)
  const priceFor = (kind: OrderKind): Price => priceOf(tld, check, kind, 1)
  const [register, renew, transfer] = [priceFor('register'), priceFor('renew'), priceFor('transfer')]
  // The buyer will have to renew it.
  const isSold = register.kobo !== undefined && renew.kobo !== undefined
  if (check.isAvailable && !isSold)
    return unknown(name, 'reserved', `${name} is not available here, because its registry gives no price for it.`)
  return {
    name,
    available: check.isAvailable,
    reason: check.isAvailable ? null : 'taken',
    message: check.isAvailable ? null : (check.reason ?? `${name} is taken.`),
    premium: (check.isAvailable ? register : transfer).isPremium,
    register_kobo: register.kobo ?? null,
    renew_kobo: renew.kobo ?? null,
    transfer_kobo: transfer.kobo ?? null,
  }
}

/**
 * Whether the registry's reason says that no one has the name and no one can register it. EPP has only free text for that (RFC 5731 §3.1.1).
 * An unknown reason counts as taken: a quote for its transfer then finds out more.
 */
function isReserved({ reason }: DomainCheck): boolean {
  return /\b(reserved|blocked|prohibited|restricted|not allowed|policy)\b/i.test(reason ?? '')
}

function unknown(name: string, reason: NonNullable<WireCheckedName['reason']>, message: string): WireCheckedName {
  const prices = { register_kobo: null, renew_kobo: null, transfer_kobo: null }
  return { name, available: false, reason, message, premium: false, ...prices }
}
