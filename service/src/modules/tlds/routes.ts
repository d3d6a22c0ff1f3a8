import { type OrderKind, tldRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { serviceNamesOf } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import type { Registries } from '#ports/registry.ts'
import { checkNames, maxCheckedNames, namesOf } from './check-names.ts'
import { parseOfferedName } from './domain-name.ts'
import { listPrice } from './prices.ts'

/** What the routes of TLDs need from other modules. */
export interface TldRoutesContext {
  readonly tlds: readonly TldSetting[]
  readonly registries: Registries
  /** Our nameservers' host names, which are not for sale. */
  readonly nameservers: readonly string[]
}

export function mountTldRoutes(server: HttpServer, { tlds, registries, nameservers }: TldRoutesContext): void {
  const serviceNames = serviceNamesOf(nameservers)
  const sorted = tlds.toSorted((a, b) => (a.tld < b.tld ? -1 : 1))

  server.mount(tldRoutes.listTlds, async ({ list }) => {
    const { rows, nextCursor } = list.pageOfAll(sorted, ({ tld }) => tld)
    return { status: 200, body: { data: rows.map(tldToWire), next_cursor: nextCursor } }
  })

  server.mount(tldRoutes.checkDomains, async ({ body, once }) => {
    const names = namesOf(body.names, body.tlds ?? sorted.map(({ tld }) => tld))
    if (names.length > maxCheckedNames)
      throw Refusal.of([
        { path: '/names', code: 'too_many', message: `At most ${maxCheckedNames} names can be checked at once.` },
      ])
    return once(async () => ({ status: 200, body: { data: await checkNames(registries, tlds, names, serviceNames) } }))
  })
}

/** The list price of an order, and the TLD of its name. */
export function listPriceOf(tlds: readonly TldSetting[], kind: OrderKind, text: string, years: number) {
  const { tld } = parseOfferedName(text, tlds)
  return { tld: tld.tld, price: listPrice(tld, kind, years) }
}

function tldToWire(tld: TldSetting) {
  return {
    tld: tld.tld,
    register_kobo: tld.registerKobo,
    renew_kobo: tld.renewKobo,
    transfer_kobo: tld.transferKobo,
    max_years: tld.maxYears,
    idn: tld.idn,
    contact_fields: tld.contactFields,
  }
}
