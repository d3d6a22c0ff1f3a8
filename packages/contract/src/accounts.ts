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
    summary: 'Ask for another email address',
    description:
      'Asks for the password, and for a code where two-factor authentication is on. A mail with a link goes to the new address; until it is followed, everything stays as it is. The answer does not tell whether there is an account for that address already.',
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
      "With the token of the mail's link, while the account that asked is signed in. From then on this address signs in; all other sessions end. A token works for 24 hours.",
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
      'Asks for the password, and for a code where two-factor authentication is on. Sessions and keys stop at once; zones answer for 7 days more, in which support can undo it. Unpaid orders are cancelled; while others are under way the account stays (`conflict`). Domains stay registered until they expire and are not renewed, and credit is lost: that needs `let_go`.',
    body: z.strictObject({
      password: z.string().max(1_000),
      code: z.string().max(100).optional(),
      let_go: z.boolean().optional().meta({
        description:
          'Domains and credit of the account are given up. Without it an account that has any stays (`conflict`), and `details` names them.',
      }),
    }),
    answers: { 204: null },
    errors: ['code_required', 'code_wrong', 'forbidden', 'conflict'],
  }),
}
