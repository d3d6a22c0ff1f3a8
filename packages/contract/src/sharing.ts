import { z } from 'zod'
import { accountEmail } from './email-address.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'
import { zoneSchema } from './zones.ts'

const zoneParams = z.object({ zone: z.string().meta({ description: 'Id or name of the zone.' }) })

/** Somebody who manages a zone or a domain, or is invited to. */
export const managerShape = {
  account: z.uuid().nullable().meta({ description: 'Null until an invitation is accepted.' }),
  email: z.string(),
  state: z.enum(['accepted', 'invited']),
  since: z.string().meta({ format: 'date-time' }),
  expires_at: z.string().nullable().meta({ description: 'Of an invitation.' }),
}

const managerSchema = z.object(managerShape).meta({ id: 'Manager' })

export type WireManager = z.infer<typeof managerSchema>

const invitationSchema = z
  .object({
    id: z.string(),
    zone: z.string().meta({ description: 'Name of the zone.' }),
    inviter: z.string(),
    created_at: z.string().meta({ format: 'date-time' }),
    expires_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Invitation' })

export type WireInvitation = z.infer<typeof invitationSchema>

export const invitationParams = z.object({ id: z.string().max(100) })

export const sharingRoutes = {
  listManagers: route({
    id: 'listManagers',
    method: 'GET',
    path: '/zones/{zone}/managers',
    who: 'session',
    summary: 'List the managers of a zone, and whom it is offered to',
    description: 'A manager sees only itself.',
    params: zoneParams,
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(managerSchema) },
  }),
  inviteManager: route({
    id: 'inviteManager',
    method: 'POST',
    path: '/zones/{zone}/managers',
    who: 'session',
    summary: 'Invite a manager by email',
    description:
      'By the owner. Nothing is shared before the account of that very address, which must be confirmed, accepts. Inviting again sends the mail again.',
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
    summary: 'Remove a manager, or leave',
    description:
      'By the owner, or by the manager itself: its access ends at once, and its keys no longer cover the zone. An address in place of the account takes an invitation back.',
    params: zoneParams.extend({ account: z.string().max(254) }),
    answers: { 204: null },
    errors: ['forbidden', 'not_found'],
  }),
  listInvitations: route({
    id: 'listInvitations',
    method: 'GET',
    path: '/invitations',
    who: 'session',
    summary: 'List the zones that this account is invited to manage',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(invitationSchema) },
  }),
  acceptInvitation: route({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/{id}/accept',
    who: 'session',
    summary: 'Become the manager of a zone',
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
    summary: 'Decline an invitation',
    params: invitationParams,
    answers: { 204: null },
    errors: ['not_found'],
  }),
}
