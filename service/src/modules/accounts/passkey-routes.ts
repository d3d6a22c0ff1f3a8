import { accountRoutes, displayText, type WirePasskey } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import type { Auth } from './auth.ts'
import { sessionOf } from './codes.ts'
import { passkeyAlgorithms } from './cose-key.ts'
import { type Passkey, passkeysOf } from './passkey-store.ts'
import { addPasskey, newPasskeyPurpose, removePasskey, renamePasskey } from './passkeys.ts'
import type { ProvePerson } from './prove-person.ts'
import type { MailContext } from './tell-account.ts'

/** The routes about the passkeys of an account. Signing in with one is a route of better-auth (`passkey-endpoints.ts`). */
export function mountPasskeyRoutes(
  server: HttpServer,
  { challenges }: Pick<Auth, 'challenges'>,
  prove: ProvePerson,
  mail: MailContext,
): void {
  const { db } = server.database

  server.mount(accountRoutes.listPasskeys, async ({ caller, list }) => {
    const passkeys = await passkeysOf(db, caller.accountId)
    const page = list.pageOfAll(passkeys, ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`)
    return { status: 200, body: { data: page.rows.map(passkeyToWire), next_cursor: page.nextCursor } }
  })

  server.mount(accountRoutes.beginPasskey, ({ caller, actor, body, transact }) =>
    prove({ caller, actor }, body, (account, useCode) =>
      transact(async (tx) => {
        await useCode(tx)
        const present = await passkeysOf(tx, account.id)
        return {
          status: 200,
          body: {
            challenge: challenges.make(newPasskeyPurpose(account.id, sessionOf(caller).sessionId)),
            rp_id: challenges.rpId,
            user_id: userHandle(account.id).toString('base64url'),
            user_name: account.email,
            algorithms: [...passkeyAlgorithms],
            exclude: present.map(({ credentialId }) => credentialId.toString('base64url')),
          },
        }
      }),
    ),
  )

  server.mount(accountRoutes.createPasskey, ({ caller, actor, body, transact }) => {
    const { accountId, sessionId } = sessionOf(caller)
    const wish = {
      answer: {
        credentialId: Buffer.from(body.id, 'base64url'),
        clientData: Buffer.from(body.client_data, 'base64url'),
        authenticatorData: Buffer.from(body.authenticator_data, 'base64url'),
      },
      transports: body.transports,
      name: body.name,
      expected: challenges.expected(newPasskeyPurpose(accountId, sessionId)),
    }
    return transact(async (tx) => {
      const passkey = await addPasskey(tx, { actor, accountId }, wish, mail)
      return { status: 201, body: passkeyToWire(passkey) }
    })
  })

  server.mount(accountRoutes.renamePasskey, ({ caller: { accountId }, actor, params, body, transact }) =>
    transact(async (tx) => ({
      status: 200,
      body: passkeyToWire(await renamePasskey(tx, { actor, accountId }, params.id, body.name)),
    })),
  )

  server.mount(accountRoutes.removePasskey, ({ caller, actor, params, body, transact }) =>
    prove({ caller, actor }, body, ({ id: accountId }, useCode) =>
      transact(async (tx) => {
        await useCode(tx)
        await removePasskey(tx, { actor, accountId }, params.id, mail)
        return { status: 204 }
      }),
    ),
  )
}

/** The user handle by which a passkey identifies its account: the 16 bytes of the account's id. */
function userHandle(accountId: string): Buffer {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex')
}

function passkeyToWire({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): WirePasskey {
  return {
    id,
    name: displayText(name),
    synced: isSynced,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}
