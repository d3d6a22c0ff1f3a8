import { z } from 'zod'
import { chosenText } from './display-text.ts'
import { accountEmail } from './email-address.ts'
import { route } from './route.ts'

/** The name of a person. */
export const accountName = chosenText.trim().max(100)

const accountSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    email_confirmed: z.boolean(),
    two_factor: z.boolean().meta({ description: 'Whether two-factor authentication is on.' }),
    created_at: z.string(),
  })
  .meta({ id: 'Account' })

export const accountRoutes = {
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
    summary: "Change the account's name",
    body: z.strictObject({ name: accountName }),
    answers: { 200: accountSchema },
  }),
  askForEmail: route({
    id: 'askForEmail',
    method: 'POST',
    path: '/account/email',
    who: 'session',
    summary: 'Request a change of the email address',
    description:
      'Requires the password, and a code if two-factor authentication is on. We email a link to the new address. Nothing changes until the link is opened. The response does not reveal whether an account with that address already exists.',
    body: z.strictObject({
      email: accountEmail,
      password: z.string().max(1_000),
      code: z.string().max(100).optional(),
    }),
    answers: { 204: null },
    errors: ['code_required', 'code_wrong', 'forbidden'],
  }),
  confirmEmail: route({
    id: 'confirmEmail',
    method: 'POST',
    path: '/account/email/confirm',
    who: 'session',
    summary: 'Confirm the new email address',
    description:
      'Requires the token from the emailed link and a session of the account that requested the change. The new address is then used to sign in, and all other sessions end. A token is valid for 24 hours.',
    body: z.strictObject({ token: z.string().max(2_000) }),
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
      'Requires the password, and a code if two-factor authentication is on. Sessions and API keys stop working immediately. Zones stay live for 7 days, during which support can undo the deletion. Unpaid orders are cancelled. While other orders are in progress, the call fails with `conflict`. Domains stay registered until they expire but are not renewed, and credit is lost. To accept the loss of domains and credit, send `let_go`.',
    body: z.strictObject({
      password: z.string().max(1_000),
      code: z.string().max(100).optional(),
      let_go: z.boolean().optional().meta({
        description:
          'Gives up the domains and credit of the account. If the account has domains or credit, the call fails without `let_go` (`conflict`), and `details` lists them.',
      }),
    }),
    answers: { 204: null },
    errors: ['code_required', 'code_wrong', 'forbidden', 'conflict'],
  }),
}
