import { z } from 'zod'
import { personShape } from './contacts.ts'
import { accountEmail } from './email-address.ts'
import { instantText } from './instant.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'
import { invitationParams, managerShape } from './sharing.ts'

/** How it stands with a domain, in one word. */
export const domainStatuses = [
  'transferring_in',
  'active',
  'on_hold',
  'expired',
  'redemption',
  'deleting',
  'transferring_out',
] as const

export type DomainStatus = (typeof domainStatuses)[number]

/** What can be under way at the registry for a domain. */
export const domainChangeKinds = [
  'nameservers',
  'lock',
  'unlock',
  'contacts',
  'transfer_code',
  'approve_transfer',
  'reject_transfer',
  'restore',
] as const

export type DomainChangeKind = (typeof domainChangeKinds)[number]

const registrantSchema = z.object(personShape).meta({ id: 'Registrant' })

const domainSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    unicode_name: z.string(),
    zone_id: z.string().nullable().meta({ description: 'The live zone of its name, if the caller has a part in it.' }),
    status: z.enum(domainStatuses),
    status_message: z.string().meta({ description: 'The same in words, with what can be done and until when.' }),
    expires_at: z.string().nullable(),
    locked: z.boolean().meta({ description: 'It cannot be transferred away, deleted, or changed by others than us.' }),
    auto_renew: z.boolean(),
    nameservers: z.array(z.string()),
    contacts: z.object({
      registrant: registrantSchema.nullable().meta({
        description: 'Null: it came by a transfer, and nobody has set it here since; and for managers.',
      }),
    }),
    role: z.enum(['owner', 'manager']),
    transfer_out: z
      .object({
        requested_by: z.string().meta({ description: "The other registrar, by the registry's name for it." }),
        requested_at: z.string(),
        act_by: z.string().meta({ description: 'When the registry decides by itself; most let the domain go then.' }),
      })
      .nullable()
      .meta({ description: 'Somebody has asked another registrar to take the domain over.' }),
    change: z
      .object({ kind: z.enum(domainChangeKinds), since: z.string() })
      .nullable()
      .meta({ description: 'What is under way at the registry and not known to be done; it goes on by itself.' }),
    created_at: z.string().meta({ description: 'Since when it is here.' }),
    checked_at: z.string().nullable().meta({ description: 'When the registry last said so.' }),
  })
  .meta({ id: 'Domain' })

export type WireDomain = z.infer<typeof domainSchema>

const domainChangeSchema = domainSchema
  .pick({ name: true, nameservers: true, locked: true, auto_renew: true, change: true })
  .partial({ nameservers: true, locked: true, auto_renew: true, change: true })
  .meta({
    id: 'DomainChange',
    description:
      'What a key without `domains:read` gets: the name and what the call changed, or `change` while the registry has not decided.',
  })

export type WireDomainChange = z.infer<typeof domainChangeSchema>

const domainManagerSchema = z.object(managerShape).meta({ id: 'DomainManager' })

const domainInvitationSchema = z
  .object({
    id: z.string(),
    domain: z.string(),
    inviter: z.string(),
    created_at: z.string().meta({ format: 'date-time' }),
    expires_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'DomainInvitation' })

export type WireDomainInvitation = z.infer<typeof domainInvitationSchema>

const domainParams = z.object({ name: z.string().min(1).max(1_024).meta({ example: 'shop.test' }) })
const codeBody = z.strictObject({
  code: z.string().max(100).optional().meta({ description: 'Of the authenticator, or a backup code.' }),
})
/** 202: the registry has taken it on, and decides later. */
const changed = { 200: domainSchema, 202: domainSchema }
/** The response of a change that keys may make, too. */
const changedDomainSchema = z.union([domainSchema, domainChangeSchema])
const changedByKey = { 200: changedDomainSchema, 202: changedDomainSchema }
const registryErrors = ['conflict', 'domain_locked', 'forbidden', 'not_found', 'registry_unavailable'] as const
const codeErrors = ['two_factor_required', 'code_required', 'code_wrong', 'rate_limited'] as const

export const domainRoutes = {
  listDomains: route({
    id: 'listDomains',
    method: 'GET',
    path: '/domains',
    who: ['domains:read'],
    summary: 'List the domains of the account, and those that it manages, by name',
    description: 'A key for particular zones sees the domains that its scope lists.',
    query: z.strictObject({
      ...pageQuery,
      q: z.string().max(1_024).optional().meta({ description: 'A part of the name.' }),
      role: z.enum(['owner', 'manager']).optional(),
      expires_before: instantText.optional(),
    }),
    answers: { 200: pageOf(domainSchema) },
  }),
  getDomain: route({
    id: 'getDomain',
    method: 'GET',
    path: '/domains/{name}',
    who: ['domains:read'],
    summary: 'Read one domain',
    params: domainParams,
    answers: { 200: domainSchema },
    errors: ['forbidden', 'not_found'],
  }),
  setNameservers: route({
    id: 'setNameservers',
    method: 'PUT',
    path: '/domains/{name}/nameservers',
    who: ['domains:manage'],
    summary: 'Change the nameservers of a domain',
    description:
      'All of them at once. A nameserver that is the domain itself or below it needs its addresses: in `hosts`, unless the registry has ' +
      'them already. Such hosts that are left out, and that no other domain has, are removed. A locked domain stays locked. ' +
      'Our nameservers do not sign zones (DNSSEC): with any of them, the DS records of the domain are removed first. Resolvers ' +
      'that have these in their cache may fail until their TTL is over, mostly a day: where that matters, have the present ' +
      'registrar remove them a day ahead.',
    params: domainParams,
    body: z.strictObject({
      nameservers: z.array(z.string().min(1).max(255)).min(2).max(13),
      hosts: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(255),
            addresses: z
              .array(z.union([z.ipv4(), z.ipv6()]))
              .min(1)
              .max(13),
          }),
        )
        .max(13)
        .optional()
        .meta({ description: 'Addresses (glue) of nameservers that are the domain itself or below it.' }),
    }),
    outside: 'registry',
    answers: changedByKey,
    errors: registryErrors,
  }),
  lockDomain: route({
    id: 'lockDomain',
    method: 'POST',
    path: '/domains/{name}/lock',
    who: ['domains:manage'],
    summary: 'Lock a domain against transfers and deletion',
    params: domainParams,
    outside: 'registry',
    answers: changedByKey,
    errors: registryErrors,
  }),
  unlockDomain: route({
    id: 'unlockDomain',
    method: 'POST',
    path: '/domains/{name}/unlock',
    who: 'session',
    summary: 'Unlock a domain',
    description: 'By its owner, with a code.',
    params: domainParams,
    body: codeBody,
    outside: 'registry',
    answers: changed,
    errors: [...registryErrors, ...codeErrors],
  }),
  turnAutoRenewOn: route({
    id: 'turnAutoRenewOn',
    method: 'POST',
    path: '/domains/{name}/auto-renew',
    who: ['domains:manage'],
    summary: 'Renew a domain by itself',
    description:
      'From 30 days before its expiry: paid by credit where that covers it, else an order with a pay link is mailed to the owner.',
    params: domainParams,
    answers: { 200: changedDomainSchema },
    errors: ['forbidden', 'not_found'],
  }),
  turnAutoRenewOff: route({
    id: 'turnAutoRenewOff',
    method: 'DELETE',
    path: '/domains/{name}/auto-renew',
    who: 'session',
    summary: 'Renew a domain no more by itself',
    description: 'By its owner.',
    params: domainParams,
    answers: { 200: domainSchema },
    errors: ['forbidden', 'not_found'],
  }),
  revealTransferCode: route({
    id: 'revealTransferCode',
    method: 'POST',
    path: '/domains/{name}/transfer-code',
    who: 'session',
    summary: 'Show the transfer code of a domain',
    description:
      'By its owner, with a code. A new one is set at the registry each time, the one before works no more, and it stands in this ' +
      'one answer only. A locked domain has to be unlocked before: nobody could transfer it.',
    params: domainParams,
    body: codeBody,
    outside: 'registry',
    answers: { 200: z.object({ name: z.string(), transfer_code: z.string() }) },
    secret: true,
    errors: [...registryErrors, ...codeErrors],
  }),
  setContacts: route({
    id: 'setContacts',
    method: 'PUT',
    path: '/domains/{name}/contacts',
    who: 'session',
    summary: 'Change who has a domain',
    description: "By its owner: to one of the account's contacts, as it is now. A locked domain stays locked.",
    params: domainParams,
    body: z.strictObject({ contact_id: z.string().max(100) }),
    outside: 'registry',
    answers: changed,
    errors: [...registryErrors, 'contact_invalid'],
  }),
  listDomainManagers: route({
    id: 'listDomainManagers',
    method: 'GET',
    path: '/domains/{name}/managers',
    who: 'session',
    summary: 'List the managers of a domain, and whom it is offered to',
    description: 'A manager sees only itself.',
    params: domainParams,
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(domainManagerSchema) },
    errors: ['not_found'],
  }),
  inviteDomainManager: route({
    id: 'inviteDomainManager',
    method: 'POST',
    path: '/domains/{name}/managers',
    who: 'session',
    summary: 'Invite a manager of a domain by email',
    description:
      'By the owner. A manager may read the domain, change its nameservers, lock it and turn auto-renew on, and nothing else. ' +
      'Nothing is shared before the account of that very address, which must be confirmed, accepts. Inviting again sends the mail again.',
    params: domainParams,
    body: z.strictObject({ email: accountEmail }),
    answers: { 201: domainManagerSchema },
    errors: ['conflict', 'forbidden', 'not_found', 'rate_limited'],
  }),
  removeDomainManager: route({
    id: 'removeDomainManager',
    method: 'DELETE',
    path: '/domains/{name}/managers/{account}',
    who: 'session',
    summary: 'Remove a manager of a domain, or leave',
    description: 'By the owner, or by the manager itself. An address in place of the account takes an invitation back.',
    params: domainParams.extend({ account: z.string().max(254) }),
    answers: { 204: null },
    errors: ['forbidden', 'not_found'],
  }),
  listDomainInvitations: route({
    id: 'listDomainInvitations',
    method: 'GET',
    path: '/domain-invitations',
    who: 'session',
    summary: 'List the domains that this account is invited to manage',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(domainInvitationSchema) },
  }),
  acceptDomainInvitation: route({
    id: 'acceptDomainInvitation',
    method: 'POST',
    path: '/domain-invitations/{id}/accept',
    who: 'session',
    summary: 'Become the manager of a domain',
    params: invitationParams,
    answers: { 200: domainSchema },
    errors: ['conflict', 'email_unconfirmed', 'not_found'],
  }),
  declineDomainInvitation: route({
    id: 'declineDomainInvitation',
    method: 'POST',
    path: '/domain-invitations/{id}/decline',
    who: 'session',
    summary: 'Decline to manage a domain',
    params: invitationParams,
    answers: { 204: null },
    errors: ['not_found'],
  }),
  approveTransferOut: route({
    id: 'approveTransferOut',
    method: 'POST',
    path: '/domains/{name}/transfer-out/approve',
    who: 'session',
    summary: 'Let a domain go to the registrar that has asked for it',
    description:
      'By its owner. 204: the domain is gone from here; its zone stays. 202: the registry has taken it on, and decides later.',
    params: domainParams,
    outside: 'registry',
    answers: { 204: null, 202: domainSchema },
    errors: registryErrors,
  }),
  rejectTransferOut: route({
    id: 'rejectTransferOut',
    method: 'POST',
    path: '/domains/{name}/transfer-out/reject',
    who: 'session',
    summary: 'Keep a domain that another registrar has asked for',
    description: 'By its owner.',
    params: domainParams,
    outside: 'registry',
    answers: changed,
    errors: registryErrors,
  }),
}
