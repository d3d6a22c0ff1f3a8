import { accountEmail, accountName } from '@zonewright/contract'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { Database } from '#platform/postgres/index.ts'
import type { AccountMails } from './account-mails.ts'
import { addressOf, asApiError, inItsForm, refuseUnfitPassword } from './auth-context.ts'
import { writeWithAuth } from './auth-work.ts'
import type { DeviceCookie } from './devices.ts'
import { addressOfLink, alreadyHasAccount, openAccount, signUp } from './sign-up.ts'

const token = z.string().max(100)

/**
 * Sign-up as a plugin of better-auth. It replaces better-auth's own, which would store a password before anyone has opened the email.
 *
 * `/sign-up/email` accepts an address; the two others accept the token of the link that is sent there. All of them are POST, because programs
 * that scan emails follow links.
 */
export function signUpEndpoints(parts: {
  readonly database: Database
  readonly mails: AccountMails
  readonly site: string
  readonly deviceCookie: DeviceCookie
}) {
  const { database, deviceCookie } = parts
  return {
    id: 'zonewright-sign-up',
    endpoints: {
      // With this name it replaces better-auth's endpoint.
      signUpEmail: createAuthEndpoint(
        '/sign-up/email',
        { method: 'POST', body: z.object({ email: accountEmail }) },
        async (ctx) => {
          await writeWithAuth((tx) => signUp(tx, parts, ctx.body.email))
          return ctx.json({ status: true })
        },
      ),
      signUpLink: createAuthEndpoint('/sign-up/link', { method: 'POST', body: z.object({ token }) }, async (ctx) =>
        ctx.json({ email: await inItsForm(() => addressOfLink(database.db, ctx.body.token)) }),
      ),
      signUpComplete: createAuthEndpoint(
        '/sign-up/complete',
        {
          method: 'POST',
          body: z.object({ token, name: accountName, password: z.string() }),
        },
        async (ctx) => {
          const { body } = ctx
          // Checked before the password is hashed: hashing is slow, and anyone could trigger it.
          const email = await inItsForm(() => addressOfLink(database.db, body.token))
          await refuseUnfitPassword(body.password, email)
          const passwordHash = await ctx.context.password.hash(body.password)
          const from = {
            address: addressOf(ctx),
            userAgent: ctx.headers?.get('user-agent') ?? '',
            devices: deviceCookie.read(ctx.headers?.get('cookie')),
          }
          const opened = await writeWithAuth((tx) => openAccount(tx, { email, name: body.name, passwordHash, from }))
          if (opened === undefined) throw asApiError(alreadyHasAccount(email))
          const { account, session, devices } = opened
          const { createdAt, expiresAt } = session
          await setSessionCookie(ctx, {
            session: { ...session, userId: account.id, createdAt, updatedAt: createdAt, expiresAt },
            user: { ...account, emailVerified: true, createdAt, updatedAt: createdAt },
          })
          ctx.setCookie(deviceCookie.name, deviceCookie.write(devices), deviceCookie.attributes)
          return ctx.json({ user: account })
        },
      ),
    },
  }
}
