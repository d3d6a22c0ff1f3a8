import { apiKeyRoutes } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { HttpServer } from '#http/server.ts'
import { codeGiver, tellAccount, type UseCode } from '#modules/accounts/index.ts'
import { keyTsigCreated } from '#modules/mail/index.ts'
import { parseZoneRef } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { createTsig, deleteTsig, noSuchKey, tsigNameOf } from './create-tsig.ts'
import { type KeyRoutesContext, toldOf } from './key-views.ts'
import { findZone } from './lookup-store.ts'
import { type KeyDetails, readKey } from './store.ts'
import { tsigConfig } from './tsig-config.ts'

/** The routes about the TSIG secrets of keys. */
export function mountTsigRoutes(server: HttpServer, { codes, secrets, site, door }: KeyRoutesContext): void {
  const { db } = server.database

  server.mount(apiKeyRoutes.createTsig, async ({ caller, actor, params, body, transact }) => {
    const make = (useCode: UseCode) =>
      transact(async (tx) => {
        await useCode(tx)
        const { key, secret } = await createTsig(tx, secrets, actor, { accountId: caller.accountId, keyId: params.id })
        const message = keyTsigCreated({ site, key: toldOf(key), at: key.readAt, from: actor.address ?? '' })
        await tellAccount(tx, { secrets }, caller.accountId, message)
        return { status: 201, body: { name: tsigNameOf(key.id), algorithm: 'hmac-sha256', secret } }
      })
    return codes.permit(db, codeGiver(caller, actor), body.code, make)
  })

  server.mount(apiKeyRoutes.deleteTsig, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      await deleteTsig(tx, actor, { accountId: caller.accountId, keyId: params.id })
      return { status: 204 }
    }),
  )

  server.mount(apiKeyRoutes.getTsigConfig, async ({ caller, actor, params, query }) => {
    const key = await readKey(db, params.id)
    if (key === undefined || key.accountId !== caller.accountId) throw noSuchKey()
    const zones = await zonesOf(db, key, query.zone)
    const use = { keyName: tsigNameOf(key.id), door, zones, email: actor.name, limits: key.limits }
    return { status: 200, type: 'text/plain; charset=utf-8', body: tsigConfig(query.for, use) }
  })
}

/** The names of the zones that the key lists. The chosen one, which the key must cover, comes first. */
async function zonesOf(db: Db, key: KeyDetails, chosen: string | undefined): Promise<string[]> {
  const listed = key.zones?.filter(({ kind }) => kind === 'zone')
  const names = (listed ?? []).map(({ name }) => name)
  if (chosen === undefined) return names
  const zone = await findZone(db, key.accountId, parseZoneRef(chosen))
  if (zone === undefined) throw noSuchZone()
  const isCovered = listed?.some(({ id }) => id === zone.id) ?? zone.role === 'owner'
  if (isCovered) return [...new Set([zone.name, ...names])]
  const message = `The key ${JSON.stringify(key.name)} does not cover ${zone.name}. Choose another key or zone.`
  throw Refusal.of([{ code: 'not_covered', message }])
}
