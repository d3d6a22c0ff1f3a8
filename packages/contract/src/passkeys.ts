import { z } from 'zod'
import { chosenText } from './display-text.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** The name of a passkey, such as its device. */
const passkeyName = chosenText.trim().min(1).max(60)

const base64url = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[A-Za-z0-9_-]+$/, 'This is not base64url.')

/** Members of a browser's answer, in base64url without padding. */
export const passkeyAnswerShape = {
  id: base64url(1_400).meta({ description: 'The id of the credential, in base64url.' }),
  client_data: base64url(3_000).meta({ description: '`clientDataJSON`, in base64url.' }),
  authenticator_data: base64url(6_000).meta({ description: 'The authenticator data, in base64url.' }),
}

const passkeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    synced: z.boolean().meta({ description: 'True if a password manager can sync the passkey to several devices.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    last_used_at: z.string().nullable().meta({ description: 'The time of the latest sign-in with the passkey.' }),
  })
  .meta({ id: 'Passkey' })

export type WirePasskey = z.infer<typeof passkeySchema>

const optionsSchema = z
  .object({
    challenge: z.string().meta({ description: 'The challenge, in base64url. It is valid for 5 minutes.' }),
    rp_id: z.string(),
    user_id: z.string().meta({ description: 'The id of the account, in base64url.' }),
    user_name: z.string(),
    algorithms: z.array(z.number().int()).meta({ description: 'COSE algorithms, the most preferred first.' }),
    exclude: z.array(z.string()).meta({ description: 'The credential ids of the passkeys that the account has.' }),
  })
  .meta({ id: 'PasskeyOptions' })

const passkeyParams = z.object({ id: z.uuid().meta({ description: 'The id of the passkey.' }) })
const password = z.string().max(1_000).meta({ description: 'The password of the account.' })
const code = z.string().max(100).optional().meta({
  description: 'A code from the authenticator app, or a backup code. Required if two-factor authentication is on.',
})

export const passkeyRoutes = {
  listPasskeys: route({
    id: 'listPasskeys',
    method: 'GET',
    path: '/account/passkeys',
    who: 'session',
    summary: 'List the passkeys of the account',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(passkeySchema) },
  }),
  beginPasskey: route({
    id: 'beginPasskey',
    method: 'POST',
    path: '/account/passkeys/options',
    who: 'session',
    summary: 'Start adding a passkey',
    description:
      'The call requires the password. If two-factor authentication is on, the call also requires a code. The response has the options with which the browser creates a passkey. Only the same session can use these options.',
    body: z.strictObject({ password, code }),
    answers: { 200: optionsSchema },
    errors: ['code_required', 'code_wrong', 'conflict', 'forbidden'],
  }),
  createPasskey: route({
    id: 'createPasskey',
    method: 'POST',
    path: '/account/passkeys',
    who: 'session',
    summary: 'Add a passkey',
    description:
      'First pass the options from `POST /account/passkeys/options` to the browser. Then send the response of the browser with this call. An account can have at most 20 passkeys.',
    body: z.strictObject({
      ...passkeyAnswerShape,
      name: passkeyName,
      transports: z.array(z.string().max(30)).max(10).default([]),
    }),
    answers: { 201: passkeySchema },
    errors: ['conflict'],
  }),
  renamePasskey: route({
    id: 'renamePasskey',
    method: 'PATCH',
    path: '/account/passkeys/{id}',
    who: 'session',
    summary: 'Rename a passkey',
    params: passkeyParams,
    body: z.strictObject({ name: passkeyName }),
    answers: { 200: passkeySchema },
    errors: ['not_found'],
  }),
  removePasskey: route({
    id: 'removePasskey',
    method: 'DELETE',
    path: '/account/passkeys/{id}',
    who: 'session',
    summary: 'Remove a passkey',
    description:
      'The call requires the password. If two-factor authentication is on, the call also requires a code. You cannot remove a passkey that is the only way to sign in to the account.',
    params: passkeyParams,
    body: z.strictObject({ password, code }),
    answers: { 204: null },
    errors: ['code_required', 'code_wrong', 'forbidden', 'not_found', 'conflict'],
  }),
}
