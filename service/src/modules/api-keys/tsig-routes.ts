import { apiKeyRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { codeGiver, type UseCode } from '#modules/accounts/index.ts'
import { keyTsigCreated, queueMail } from '#modules/mail/index.ts'
import { createTsig, deleteTsig, noSuchKey, tsigNameOf } from './create-tsig.ts'
import { type KeyRoutesContext, toldOf } from './key-views.ts'
import { readKey } from './store.ts'
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
        await queueMail(tx, secrets, { to: actor.name, message })
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

  server.mount(apiKeyRoutes.getTsigConfig, async ({ caller, params, query }) => {
    const key = await readKey(db, params.id)
    if (key === undefined || key.accountId !== caller.accountId) throw noSuchKey()
    const zones = (key.zones ?? []).flatMap(({ kind, name }) => (kind === 'zone' ? [name] : []))
    return {
      status: 200,
      type: 'text/plain; charset=utf-8',
      body: tsigConfig(query.for, { keyName: tsigNameOf(key.id), door, zones }),
    }
  })
}
