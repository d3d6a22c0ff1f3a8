import { z } from 'zod'
import { personShape } from './contacts.ts'
import { accountEmail } from './email-address.ts'
import { instantText } from './instant.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'
import { invitationParams, managerShape } from './sharing.ts'

/** The status of a domain. */
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

/** What can be in progress at the registry for a domain. */
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
    zone_id: z
      .string()
      .nullable()
      .meta({ description: 'The live zone with this name, if the caller has access to it.' }),
    status: z.enum(domainStatuses),
    status_message: z.string().meta({ description: 'The status in words, including what you can do and until when.' }),
    expires_at: z.string().nullable(),
    locked: z
      .boolean()
      .meta({ description: 'A locked domain cannot be transferred or deleted, and only this service can change it.' }),
    auto_renew: z.boolean(),
    nameservers: z.array(z.string()),
    contacts: z.object({
      registrant: registrantSchema.nullable().meta({
        description: 'Null for managers, and for a transferred domain whose registrant has not been set here yet.',
      }),
    }),
    role: z.enum(['owner', 'manager']),
    transfer_out: z
      .object({
        requested_by: z.string().meta({ description: 'The gaining registrar, as the registry names it.' }),
        requested_at: z.string(),
        act_by: z
          .string()
          .meta({ description: 'When the registry decides automatically. Most registries then approve the transfer.' }),
      })
      .nullable()
      .meta({ description: 'A pending transfer to another registrar.' }),
    change: z
      .object({ kind: z.enum(domainChangeKinds), since: z.string() })
      .nullable()
      .meta({ description: 'The change that is in progress at the registry. It continues automatically.' }),
    created_at: z.string().meta({ description: 'When the domain was registered here or transferred here.' }),
    checked_at: z.string().nullable().meta({ description: 'When this data was last read from the registry.' }),
  })
  .meta({ id: 'Domain' })

export type WireDomain = z.infer<typeof domainSchema>

const domainChangeSchema = domainSchema
  .pick({ name: true, nameservers: true, locked: true, auto_renew: true, change: true })
  .partial({ nameservers: true, locked: true, auto_renew: true, change: true })
  .meta({
    id: 'DomainChange',
    description:
      'The response to a key without `domains:read`. It has the name and what the call changed, or `change` while the registry has not decided.',
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
  code: z.string().max(100).optional().meta({ description: 'A code from the authenticator app, or a backup code.' }),
})
/** 202: the registry has accepted the change, and decides later. */
const changed = { 200: domainSchema, 202: domainSchema }
/** The response to a change that keys may make as well. */
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
    summary: 'List domains that the account owns or manages, by name',
    description: 'A key that does not cover all zones returns only the domains in its scope.',
    query: z.strictObject({
      ...pageQuery,
      q: z.string().max(1_024).optional().meta({ description: 'Part of the name.' }),
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
      'Replaces all nameservers. If the name of a nameserver is the domain or below it, send its addresses in `hosts`, unless the registry already has ' +
      'them. If you omit a host at or below the domain and no other domain uses it, the host is removed. A locked domain stays locked. ' +
      'Our nameservers do not sign zones (DNSSEC). If you set any of our nameservers, the DS records of the domain are removed first. Resolvers ' +
      'that have cached these records may fail until their TTL expires, usually after a day. To avoid this, have the previous DNS provider or ' +
      'registrar remove the DS records a day earlier.',
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
        .meta({ description: 'Addresses (glue) of nameservers at or below the domain.' }),
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
    description: 'Only the owner can do this. Requires a two-factor code.',
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
    summary: 'Turn on auto-renew',
    description:
      'The renewal starts 30 days before the domain expires. It is paid with credit if the credit covers the price. Otherwise we email the owner an order with a payment link.',
    params: domainParams,
    answers: { 200: changedDomainSchema },
    errors: ['forbidden', 'not_found'],
  }),
  turnAutoRenewOff: route({
    id: 'turnAutoRenewOff',
    method: 'DELETE',
    path: '/domains/{name}/auto-renew',
    who: 'session',
    summary: 'Turn off auto-renew',
    description: 'Only the owner can do this.',
    params: domainParams,
    answers: { 200: domainSchema },
    errors: ['forbidden', 'not_found'],
  }),
  revealTransferCode: route({
    id: 'revealTransferCode',
    method: 'POST',
    path: '/domains/{name}/transfer-code',
    who: 'session',
    summary: 'Get a transfer code for a domain',
    description:
      'Only the owner can do this. Requires a two-factor code. Each call sets a new code at the registry, and earlier codes stop working. Only this ' +
      'response shows the code. A locked domain cannot be transferred, so unlock it first.',
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
    summary: 'Change the registrant of a domain',
    description:
      'Only the owner can do this. The new registrant is one of the account’s contacts, with the current data of that contact. A locked domain stays locked.',
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
    summary: 'List the managers and invitations of a domain',
    description: 'Managers see only their own entry.',
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
      'Only the owner can do this. A manager can read the domain, change its nameservers, lock it, and turn on auto-renew. ' +
      'Access starts when the account with this confirmed email address accepts. Call this again to resend the email.',
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
    description:
      'The owner can remove a manager, and a manager can leave. To cancel an invitation, send its email address instead of an account id.',
    params: domainParams.extend({ account: z.string().max(254) }),
    answers: { 204: null },
    errors: ['forbidden', 'not_found'],
  }),
  listDomainInvitations: route({
    id: 'listDomainInvitations',
    method: 'GET',
    path: '/domain-invitations',
    who: 'session',
    summary: 'List invitations to manage domains',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(domainInvitationSchema) },
  }),
  acceptDomainInvitation: route({
    id: 'acceptDomainInvitation',
    method: 'POST',
    path: '/domain-invitations/{id}/accept',
    who: 'session',
    summary: 'Accept an invitation to manage a domain',
    params: invitationParams,
    answers: { 200: domainSchema },
    errors: ['conflict', 'email_unconfirmed', 'not_found'],
  }),
  declineDomainInvitation: route({
    id: 'declineDomainInvitation',
    method: 'POST',
    path: '/domain-invitations/{id}/decline',
    who: 'session',
    summary: 'Decline an invitation to manage a domain',
    params: invitationParams,
    answers: { 204: null },
    errors: ['not_found'],
  }),
  approveTransferOut: route({
    id: 'approveTransferOut',
    method: 'POST',
    path: '/domains/{name}/transfer-out/approve',
    who: 'session',
    summary: 'Approve the transfer of a domain to another registrar',
    description:
      'Only the owner can do this. Status 204: the domain has left this service, but its zone stays here. Status 202: the registry has accepted the request and decides later.',
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
    summary: 'Reject the transfer of a domain to another registrar',
    description: 'Only the owner can do this.',
    params: domainParams,
    outside: 'registry',
    answers: changed,
    errors: registryErrors,
  }),
}
