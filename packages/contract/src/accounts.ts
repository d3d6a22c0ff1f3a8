import { z } from 'zod'
import { chosenText } from './display-text.ts'
import { accountEmail } from './email-address.ts'
import { linkedProviderRoutes } from './linked-providers.ts'
import { notificationRoutes } from './notifications.ts'
import { passkeyRoutes } from './passkeys.ts'
import { route } from './route.ts'

/** The name of a person. */
export const accountName = chosenText.trim().max(100)

/** An IANA time zone, as JavaScript runtimes know it. */
const timeZone = z
  .string()
  .max(64)
  .refine(
    isTimeZone,
    'This is not a time zone. Send a name such as Africa/Lagos, or null for the time zone of the browser.',
  )

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const accountSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    email_confirmed: z.boolean(),
    has_password: z.boolean().meta({
      description:
        'False if the account was created through a sign-in provider and has no password yet. Many actions require a password.',
    }),
    two_factor: z.boolean().meta({ description: 'True if two-factor authentication is on.' }),
    time_zone: z.string().nullable().meta({
      description:
        'The IANA time zone in which the dashboard shows times. If it is null, the dashboard uses the time zone of the browser.',
    }),
    created_at: z.string(),
  })
  .meta({ id: 'Account' })

const password = z.string().max(1_000).meta({ description: 'The password of the account.' })
const code = z.string().max(100).optional().meta({
  description: 'A code from the authenticator app, or a backup code. Required if two-factor authentication is on.',
})

export const accountRoutes = {
  ...notificationRoutes,
  ...passkeyRoutes,
  ...linkedProviderRoutes,
  getAccount: route({
    id: 'getAccount',
    method: 'GET',
    path: '/account',
    who: 'session',
    summary: 'Read the account',
    answers: { 200: accountSchema },
  }),
  changeAccount: route({
    id: 'changeAccount',
    method: 'PATCH',
    path: '/account',
    who: 'session',
    summary: 'Change the name or the time zone of the account',
    body: z.strictObject({ name: accountName.optional(), time_zone: timeZone.nullable().optional() }),
    answers: { 200: accountSchema },
  }),
  askForEmail: route({
    id: 'askForEmail',
    method: 'POST',
    path: '/account/email',
    who: 'session',
    summary: 'Request a change of the account’s email address',
    description:
      'The call requires the password. If two-factor authentication is on, the call also requires a code. The service emails a link to the new address. The address of the account changes when you confirm the token from this link with `POST /account/email/confirm`. The response does not reveal whether an account with the new address exists.',
    body: z.strictObject({
      email: accountEmail,
      password,
      code,
    }),
    answers: { 204: null },
    errors: ['code_required', 'code_wrong', 'conflict', 'forbidden'],
  }),
  confirmEmail: route({
    id: 'confirmEmail',
    method: 'POST',
    path: '/account/email/confirm',
    who: 'session',
    summary: 'Confirm the new email address',
    description:
      'The call requires the token from the emailed link. The session must belong to the account that requested the change. After the call, you sign in with the new address, and all other sessions end. A token is valid for 24 hours.',
    body: z.strictObject({ token: z.string().max(2_000).meta({ description: 'The token from the emailed link.' }) }),
    answers: { 200: accountSchema },
    errors: ['conflict'],
  }),
  deleteAccount: route({
    id: 'deleteAccount',
    method: 'DELETE',
    path: '/account',
    who: 'session',
    summary: 'Delete the account',
    description:
      'The call requires the password. If two-factor authentication is on, the call also requires a code. Sessions and API keys stop working immediately. Zones stay live for 7 days. During this time, support can undo the deletion. The call cancels unpaid orders. If a paid order or a refund is in progress, the call fails with `conflict`. Domains stay registered until they expire, and the service does not renew them. The account loses its credit. To accept the loss of domains and credit, send `let_go: true`.',
    body: z.strictObject({
      password,
      code,
      let_go: z.boolean().optional().meta({
        description:
          'If true, you accept that the account loses its domains and credit. If the account has domains or credit and `let_go` is not true, the call fails with `conflict`. The `details` of the error list the domains and the credit.',
      }),
    }),
    answers: { 204: null },
    errors: ['code_required', 'code_wrong', 'forbidden', 'conflict'],
  }),
}
