import { apiKeyRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { codeGiver, tellAccount, type UseCode } from '#modules/accounts/index.ts'
import { keyCreated, keyNarrowed } from '#modules/mail/index.ts'
import { Refusal } from '#platform/errors.ts'
import { acmeDnsAccount } from './acme-dns-account.ts'
import { createKey, refuseFaults, revokeKey } from './create-key.ts'
import { noSuchKey } from './create-tsig.ts'
import { type KeyRoutesContext, keyToWire, toldOf } from './key-views.ts'
import { narrowKey } from './narrow-key.ts'
import { readNetworks } from './networks.ts'
import { pickScope } from './pick-scope.ts'
import { faultsOfNewKey } from './rules.ts'
import { pageOfKeys, readKey } from './store.ts'
import { mountTsigRoutes } from './tsig-routes.ts'

export function mountKeyRoutes(server: HttpServer, context: KeyRoutesContext): void {
  const { codes, secrets, site } = context
  const { db } = server.database
  mountTsigRoutes(server, context)

  server.mount(apiKeyRoutes.currentKey, async ({ caller }) => {
    const key = caller.kind === 'key' ? await readKey(db, caller.keyId) : undefined
    if (key === undefined) throw new Refusal('not_found', 'This request was not made with a key.')
    return { status: 200, body: keyToWire(key) }
  })

  server.mount(apiKeyRoutes.listKeys, async ({ caller, query, list }) => {
    const after = list.after('text')
    const found = await pageOfKeys(db, caller.accountId, { after, limit: query.limit })
    const page = list.page(found, ({ id }) => [id])
    return { status: 200, body: { data: page.rows.map(keyToWire), next_cursor: page.nextCursor } }
  })

  server.mount(apiKeyRoutes.createKey, async ({ caller, actor, body, transact }) => {
    const { name, permissions, limits, expires_in: expiresIn, code } = body
    const picked = body.zones === 'all' ? undefined : await pickScope(db, caller.accountId, body.zones, limits)
    const scope = picked?.scope ?? { zones: 'all' as const }
    // Check this before the code, so that a typing error does not use up a code.
    const wanted = { name, allZones: body.zones === 'all', permissions, isLimited: limits !== undefined }
    const from = body.addresses && readNetworks(body.addresses)
    refuseFaults([...faultsOfNewKey(wanted), ...(picked?.faults ?? []), ...(from?.faults ?? [])])
    const make = (useCode: UseCode) =>
      transact(async (tx) => {
        await useCode(tx)
        const { id, secret } = await createKey(tx, actor, caller.accountId, {
          name,
          ...scope,
          permissions,
          addresses: from?.networks,
          expiresIn,
        })
        const key = await readKey(tx, id)
        if (key === undefined) throw new Error('the key that was just made is not there')
        const message = keyCreated({ site, key: toldOf(key), at: key.createdAt, from: actor.address ?? '' })
        await tellAccount(tx, { secrets }, caller.accountId, message)
        return {
          status: 201,
          body: { ...keyToWire(key), secret },
          location: `/api-keys/${id}`,
        }
      })
    return codes.permit(db, codeGiver(caller, actor), code, make)
  })

  server.mount(apiKeyRoutes.narrowKey, ({ caller, actor, params, body, transact }) =>
    transact(async (tx) => {
      const hasChanged = await narrowKey(tx, actor, { accountId: caller.accountId, keyId: params.id }, body)
      const key = await readKey(tx, params.id)
      if (key === undefined) throw new Error('the key that was just locked is not there')
      if (hasChanged) {
        const message = keyNarrowed({ site, key: toldOf(key), at: key.readAt, from: actor.address ?? '' })
        await tellAccount(tx, { secrets }, caller.accountId, message)
      }
      return { status: 200, body: keyToWire(key) }
    }),
  )

  server.mount(apiKeyRoutes.acmeDnsAccount, ({ caller, params, body, transact }) =>
    transact(async (tx) => ({
      status: 200,
      body: await acmeDnsAccount(tx, { accountId: caller.accountId, keyId: params.id, site }, body),
    })),
  )

  server.mount(apiKeyRoutes.revokeKey, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      if (!(await revokeKey(tx, actor, caller.accountId, params.id))) throw noSuchKey()
      return { status: 204 }
    }),
  )
}
