import { accountRoutes, displayText, type WireLinkedProvider } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import type { Logger } from '#platform/log.ts'
import type { SignInProviders } from '#ports/sign-in-provider.ts'
import type { Auth } from './auth.ts'
import { sessionOf } from './codes.ts'
import type { ProvePerson } from './prove-person.ts'
import { type LinkedProvider, linkedProvidersOf } from './provider-store.ts'
import { isAway, providerById, providerReturnUrl, unlinkProvider } from './providers.ts'
import type { MailContext } from './tell-account.ts'

/** The routes for linked providers. Signing in with one, and the end of linking one, are routes of better-auth (`provider-endpoints.ts`). */
export function mountProviderRoutes(
  server: HttpServer,
  { providers, providerCookie, log }: Pick<Auth, 'providers' | 'providerCookie'> & { readonly log: Logger },
  prove: ProvePerson,
  mail: MailContext,
): void {
  const { db } = server.database

  server.mount(accountRoutes.listLinkedProviders, async ({ caller, list }) => {
    const linked = await linkedProvidersOf(db, caller.accountId)
    const page = list.pageOfAll(linked, ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`)
    const data = page.rows.map((each) => linkedProviderToWire(each, providers))
    return { status: 200, body: { data, next_cursor: page.nextCursor } }
  })

  server.mount(accountRoutes.beginProviderLink, async ({ caller, actor, body, transact }) => {
    const provider = providerById(providers, body.provider)
    // Check this before the code is used up.
    const begun = await provider.begin(providerReturnUrl(mail.site, provider))
    if (begun.kind === 'away') throw isAway(provider, begun, log)
    return prove({ caller, actor }, body, async ({ id: accountId }, useCode) => {
      const { sessionId } = sessionOf(caller)
      const linkTo = { accountId, sessionId }
      const cookie = await providerCookie.header({ ...begun.kept, issuer: provider.issuer, back: '/account', linkTo })
      return transact(async (tx) => {
        await useCode(tx)
        return { status: 200, body: { url: begun.url }, headers: { 'set-cookie': cookie } }
      })
    })
  })

  server.mount(accountRoutes.unlinkProvider, ({ caller, actor, params, body, transact }) =>
    prove({ caller, actor }, body, ({ id: accountId }, useCode) =>
      transact(async (tx) => {
        await useCode(tx)
        await unlinkProvider(tx, { actor, accountId }, params.id, mail)
        return { status: 204 }
      }),
    ),
  )
}

function linkedProviderToWire(
  { id, issuer, name, email, createdAt, lastUsedAt }: LinkedProvider,
  { all }: Pick<SignInProviders, 'all'>,
): WireLinkedProvider {
  const provider = all.find((each) => each.issuer === issuer)
  return {
    id,
    name: provider?.name ?? name,
    email: email === null ? null : displayText(email),
    usable: provider !== undefined,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}
