import { passkeyAnswerShape } from '@zonewright/contract'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { AccountMails } from './account-mails.ts'
import { addressOf, asApiError, inItsForm } from './auth-context.ts'
import { writeWithAuth } from './auth-work.ts'
import type { DeviceCookie } from './devices.ts'
import { openSession } from './open-session.ts'
import { notePasskeyUse, passkeyToSignIn, useChallenge } from './passkey-store.ts'
import { type Challenges, readable } from './passkeys.ts'
import { lockAndReadAccount } from './store.ts'
import { checkAnswer } from './webauthn.ts'

const purpose = 'sign-in'

const answerBody = z.strictObject({
  ...passkeyAnswerShape,
  signature: z.string().max(2_000),
})

/** Signing in with a passkey, as a plugin of better-auth ([0033](../../../../docs/decisions/0033-passkeys-without-a-package.md)). */
export function passkeyEndpoints(parts: {
  readonly database: Database
  readonly mails: AccountMails
  readonly challenges: Challenges
  readonly deviceCookie: DeviceCookie
}) {
  const { database, challenges, deviceCookie } = parts
  return {
    id: 'zonewright-passkeys',
    endpoints: {
      passkeyChallenge: createAuthEndpoint('/passkey/challenge', { method: 'POST', body: z.object({}) }, async (ctx) =>
        ctx.json({ challenge: challenges.make(purpose), rp_id: challenges.rpId }),
      ),
      passkeySignIn: createAuthEndpoint('/sign-in/passkey', { method: 'POST', body: answerBody }, async (ctx) => {
        const { body } = ctx
        const credentialId = Buffer.from(body.id, 'base64url')
        const opened = await inItsForm(async () => {
          const passkey = await passkeyToSignIn(database.db, credentialId)
          if (passkey === undefined) throw unknownPasskey()
          const answer = {
            credentialId,
            clientData: Buffer.from(body.client_data, 'base64url'),
            authenticatorData: Buffer.from(body.authenticator_data, 'base64url'),
            signature: Buffer.from(body.signature, 'base64url'),
          }
          const read = readable(() => checkAnswer(answer, passkey, challenges.expected(purpose)))
          // Return a refusal instead of throwing it. A thrown one would roll back the record that the challenge was answered.
          return await writeWithAuth(async (tx) => {
            const account = await lockAndReadAccount(tx, passkey.accountId)
            if (account === undefined) return unknownPasskey()
            if (!(await useChallenge(tx, read.challenge)))
              return new Refusal('validation_failed', 'This sign-in was already used. Try again.')
            if (!(await notePasskeyUse(tx, passkey.id, read))) return copiedPasskey()
            return await openSession(tx, parts.mails, account, {
              address: addressOf(ctx),
              userAgent: ctx.headers?.get('user-agent') ?? '',
              devices: deviceCookie.read(ctx.headers?.get('cookie')),
            })
          })
        })
        if (opened instanceof Refusal) throw asApiError(opened)
        await setSessionCookie(ctx, opened)
        ctx.setCookie(deviceCookie.name, deviceCookie.write(opened.devices), deviceCookie.attributes)
        return ctx.json({ user: { id: opened.user.id, email: opened.user.email, name: opened.user.name } })
      }),
    },
  }
}

function unknownPasskey(): Refusal {
  return new Refusal(
    'validation_failed',
    'No account has this passkey. It may have been removed. Sign in with your password, or choose another passkey.',
  )
}

function copiedPasskey(): Refusal {
  return new Refusal(
    'validation_failed',
    'This passkey was removed, or another device has a copy of it. Sign in with your password, and replace the passkey.',
  )
}
