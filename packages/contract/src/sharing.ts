import { z } from 'zod'
import { accountEmail } from './email-address.ts'
import { pageOf, pageQuery } from './paging.ts'
import { zoneParams } from './records.ts'
import { route } from './route.ts'
import { zoneSchema } from './zones.ts'

/** Someone who manages a zone or a domain, or is invited to. */
export const managerShape = {
  account: z
    .uuid()
    .nullable()
    .meta({ description: 'The id of the account. It is null until the invitation is accepted.' }),
  email: z.string(),
  state: z.enum(['accepted', 'invited']).meta({
    description: '`invited`: the person has not accepted the invitation yet. `accepted`: the person has access.',
  }),
  since: z.string().meta({
    format: 'date-time',
    description: 'The time of the invitation. After the invitation is accepted, this is the time of the acceptance.',
  }),
  expires_at: z
    .string()
    .nullable()
    .meta({ description: 'The time at which the invitation expires. It is null after the invitation is accepted.' }),
}

const managerSchema = z.object(managerShape).meta({ id: 'Manager' })

export type WireManager = z.infer<typeof managerSchema>

const invitationSchema = z
  .object({
    id: z.string(),
    zone: z.string().meta({ description: 'The name of the zone.' }),
    inviter: z.string().meta({ description: 'The email address of the owner who sent the invitation.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    expires_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Invitation' })

export type WireInvitation = z.infer<typeof invitationSchema>

export const invitationParams = z.object({ id: z.string().max(100).meta({ description: 'The id of the invitation.' }) })

/** The path parameter for the manager or the invitation to remove. */
export const managerAccount = z
  .string()
  .max(254)
  .meta({ description: 'The account id of the manager, or the email address of an invitation.' })

export const sharingRoutes = {
  listManagers: route({
    id: 'listManagers',
    method: 'GET',
    path: '/zones/{zone}/managers',
    who: 'session',
    summary: 'List the managers and invitations of a zone',
    description: 'Managers see only their own entry.',
    params: zoneParams,
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(managerSchema) },
  }),
  inviteManager: route({
    id: 'inviteManager',
    method: 'POST',
    path: '/zones/{zone}/managers',
    who: 'session',
    summary: 'Invite a manager of a zone by email',
    description:
      'Only the owner can call this. Access starts when the invited person accepts. The account of that person must have this email address, and the address must be confirmed. To resend the email, repeat the call.',
    params: zoneParams,
    body: z.strictObject({ email: accountEmail }),
    answers: { 201: managerSchema },
    errors: ['conflict', 'forbidden', 'rate_limited'],
  }),
  removeManager: route({
    id: 'removeManager',
    method: 'DELETE',
    path: '/zones/{zone}/managers/{account}',
    who: 'session',
    summary: 'Remove a manager of a zone',
    description:
      'The owner can remove any manager. Managers can remove only themselves. Access ends immediately, and the keys of the manager no longer cover the zone. To cancel an invitation, send its email address as `account`.',
    params: zoneParams.extend({ account: managerAccount }),
    answers: { 204: null },
    errors: ['forbidden', 'not_found'],
  }),
  listInvitations: route({
    id: 'listInvitations',
    method: 'GET',
    path: '/invitations',
    who: 'session',
    summary: 'List invitations to manage zones',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(invitationSchema) },
  }),
  acceptInvitation: route({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/{id}/accept',
    who: 'session',
    summary: 'Accept an invitation to manage a zone',
    params: invitationParams,
    headers: ['ETag'],
    answers: { 200: zoneSchema },
    errors: ['conflict', 'email_unconfirmed', 'not_found'],
  }),
  declineInvitation: route({
    id: 'declineInvitation',
    method: 'POST',
    path: '/invitations/{id}/decline',
    who: 'session',
    summary: 'Decline an invitation to manage a zone',
    params: invitationParams,
    answers: { 204: null },
    errors: ['not_found'],
  }),
}
