import { z } from 'zod'
import { cardSummarySchema } from './cards.ts'
import { personShape } from './contacts.ts'
import { accountEmail } from './email-address.ts'
import { instantText } from './instant.ts'
import { dnssecQuery, dnssecSchema, pageOf, pageQuery, sortQuery } from './paging.ts'
import { route } from './route.ts'
import { invitationParams, managerAccount, managerShape } from './sharing.ts'

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
    unicode_name: z.string().meta({ description: 'The name with internationalized labels in Unicode.' }),
    zone_id: z.string().nullable().meta({
      description:
        'The id of the live zone with this name. It is null if there is no such zone or if the caller has no access to it.',
    }),
    status: z.enum(domainStatuses).meta({
      description:
        '`transferring_in`: the transfer to this service is in progress. `active`: the domain is registered. `on_hold`: the registry has removed the domain from the DNS. `expired`: the registration has expired, and you can still renew it at the usual price. `redemption`: the domain was not renewed in time. Support can restore it for a fee. `deleting`: the registry deletes the domain within days. `transferring_out`: another registrar has requested a transfer.',
    }),
    status_message: z
      .string()
      .meta({ description: 'The status as human-readable text. The text says what you can do, and until when.' }),
    expires_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the registration expires. It is null if this time is not known.' }),
    locked: z.boolean().meta({
      description:
        'True if the domain is locked. A locked domain cannot be transferred to another registrar. The service locks each new domain against transfers. `POST /domains/{name}/lock` also protects the domain against deletion and against changes that do not come from this service.',
    }),
    auto_renew: z.boolean().meta({ description: 'True if auto-renew is on.' }),
    dnssec: dnssecSchema,
    nameservers: z.array(z.string()).meta({ description: 'The nameservers of the domain at the registry.' }),
    contacts: z.object({
      registrant: registrantSchema.nullable().meta({
        description:
          'The registrant of the domain. It is null for managers. After a transfer to this service, it is also null until the owner sets a registrant here.',
      }),
    }),
    role: z.enum(['owner', 'manager']).meta({
      description:
        '`owner`: the account owns the domain. `manager`: another account shares the domain with this account.',
    }),
    transfer_out: z
      .object({
        requested_by: z.string().meta({ description: 'The name of the new registrar, as the registry reports it.' }),
        requested_at: z.string().meta({ description: 'The time at which the new registrar requested the transfer.' }),
        act_by: z.string().meta({
          description:
            'The time at which the registry decides automatically. Most registries then approve the transfer.',
        }),
      })
      .nullable()
      .meta({ description: 'A pending transfer to another registrar. It is null if there is none.' }),
    change: z
      .object({
        kind: z.enum(domainChangeKinds),
        since: z.string().meta({ description: 'The time at which the change started.' }),
      })
      .nullable()
      .meta({
        description:
          'The change in progress at the registry. The change continues automatically. The field is null if no change is in progress.',
      }),
    created_at: z
      .string()
      .meta({ description: 'The time at which the domain was registered here or transferred here.' }),
    checked_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the service last read this data from the registry.' }),
  })
  .meta({ id: 'Domain' })

export type WireDomain = z.infer<typeof domainSchema>

const domainChangeSchema = domainSchema
  .pick({ name: true, nameservers: true, locked: true, auto_renew: true, change: true })
  .partial({ nameservers: true, locked: true, auto_renew: true, change: true })
  .meta({
    id: 'DomainChange',
    description:
      'The response to a key without `domains:read`, with the name of the domain and the data that the call changed. While the registry has not decided yet, the response has `change` instead of the changed data.',
  })

export type WireDomainChange = z.infer<typeof domainChangeSchema>

const renewalCardSchema = z
  .object({
    card: cardSummarySchema.nullable().meta({
      description:
        'The card that auto-renew charges if the credit does not cover the renewal. It is null if the owner has not allowed a card.',
    }),
    consented_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the owner allowed the card. It is null if there is no card.' }),
  })
  .meta({ id: 'RenewalCard' })

export type WireRenewalCard = z.infer<typeof renewalCardSchema>

const domainManagerSchema = z.object(managerShape).meta({ id: 'DomainManager' })

const domainInvitationSchema = z
  .object({
    id: z.string(),
    domain: z.string(),
    inviter: z.string().meta({ description: 'The email address of the owner who sent the invitation.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    expires_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'DomainInvitation' })

export type WireDomainInvitation = z.infer<typeof domainInvitationSchema>

const domainParams = z.object({
  name: z.string().min(1).max(1_024).meta({ description: 'The name of the domain.', example: 'shop.test' }),
})
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
    summary: 'List the domains that the account owns or manages',
    description:
      'The list is sorted by name, unless you send `sort`. If a key covers only some zones and domains, the list has only the domains that the key covers.',
    query: z.strictObject({
      ...pageQuery,
      q: z
        .string()
        .max(1_024)
        .optional()
        .meta({ description: 'If you send this, the list has only the domains whose name contains this text.' }),
      role: z.enum(['owner', 'manager']).optional().meta({
        description:
          'If you send this, the list has only the domains in which the account has this role. `owner`: domains that the account owns. `manager`: domains that other accounts share with the account.',
      }),
      expires_before: instantText
        .optional()
        .meta({ description: 'If you send this, the list has only the domains that expire before this time.' }),
      status: z
        .enum(domainStatuses)
        .optional()
        .meta({ description: 'If you send this, the list has only the domains with this status.' }),
      locked: z.stringbool().optional().meta({
        description:
          '`true`: the list has only the locked domains. `false`: the list has only the domains that are not locked.',
      }),
      auto_renew: z.stringbool().optional().meta({
        description:
          '`true`: the list has only the domains with auto-renew. `false`: the list has only the domains without auto-renew.',
      }),
      dnssec: dnssecQuery.meta({
        description:
          'If you send this, the list has only the domains with this value of `dnssec.parent_ds`: `ds` for true, `no_ds` for false, `unknown` for null.',
      }),
      sort: sortQuery('name', 'status', 'expires_at', 'created_at'),
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
      'This call replaces all nameservers. If the name of a nameserver is the domain name or is below the domain name, send the addresses of the nameserver in `hosts`. You can omit the addresses if the registry already has them. If you later remove such a nameserver from the list, and no other domain uses it, the service deletes the nameserver and its addresses at the registry. If the domain is locked, the call still works, and the domain stays locked. Status 202: the registry has received the request and decides later.\n\nOur nameservers do not sign zones (DNSSEC). If you set any of our nameservers, the service first removes the DS records of the domain. Resolvers that have cached the DS records may fail to resolve the domain until the TTL of these records expires, usually after a day. To avoid such failures, have the previous DNS provider or registrar remove the DS records a day before you change the nameservers.',
    params: domainParams,
    body: z.strictObject({
      nameservers: z
        .array(z.string().min(1).max(255))
        .min(2)
        .max(13)
        .meta({ description: 'The host names of all nameservers.' }),
      hosts: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(255),
            addresses: z
              .array(z.union([z.ipv4(), z.ipv6()], 'Expected an IPv4 or IPv6 address, such as 192.0.2.1.'))
              .min(1)
              .max(13),
          }),
        )
        .max(13)
        .optional()
        .meta({ description: 'The addresses (glue) of nameservers at or below the domain.' }),
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
    description: 'Status 202: the registry has received the request and decides later.',
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
    description:
      'Only the owner can call this. The call requires a two-factor code. Status 202: the registry has received the request and decides later.',
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
      'Auto-renew places a renewal order 30 days before the domain expires. The service first pays with the credit of the account. If the credit does not cover the price, the service charges the rest to the card that the owner has allowed for this domain (`PUT /domains/{name}/renewal-card`). Without such a card, the service emails the owner a payment link. This call does not allow auto-renew to charge a card.',
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
    description: 'Only the owner can call this.',
    params: domainParams,
    answers: { 200: domainSchema },
    errors: ['forbidden', 'not_found'],
  }),
  getRenewalCard: route({
    id: 'getRenewalCard',
    method: 'GET',
    path: '/domains/{name}/renewal-card',
    who: 'session',
    summary: 'Read which saved card auto-renew charges',
    description: 'Only the owner can call this.',
    params: domainParams,
    answers: { 200: renewalCardSchema },
    errors: ['forbidden', 'not_found'],
  }),
  allowRenewalCard: route({
    id: 'allowRenewalCard',
    method: 'PUT',
    path: '/domains/{name}/renewal-card',
    who: 'session',
    summary: 'Allow auto-renew to charge a saved card',
    description:
      'Only the owner can call this, and auto-renew must be on. The service charges the card only if the credit does not cover the renewal. This permission ends when someone turns auto-renew off or on.',
    params: domainParams,
    body: z.strictObject({ card_id: z.string().min(1).max(100).meta({ description: 'The id of the saved card.' }) }),
    answers: { 200: renewalCardSchema },
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  withdrawRenewalCard: route({
    id: 'withdrawRenewalCard',
    method: 'DELETE',
    path: '/domains/{name}/renewal-card',
    who: 'session',
    summary: 'Stop charging a saved card for auto-renew',
    description: 'Only the owner can call this. Auto-renew stays on, and pays with credit or sends a payment link.',
    params: domainParams,
    answers: { 204: null },
    errors: ['forbidden', 'not_found'],
  }),
  revealTransferCode: route({
    id: 'revealTransferCode',
    method: 'POST',
    path: '/domains/{name}/transfer-code',
    who: 'session',
    summary: 'Get a transfer code for a domain',
    description:
      'Only the owner can call this. The call requires a two-factor code. Each call sets a new transfer code at the registry, and earlier codes stop working. Only this response shows the code. A locked domain cannot be transferred, so unlock the domain first.',
    params: domainParams,
    body: codeBody,
    outside: 'registry',
    answers: {
      200: z.object({
        name: z.string(),
        transfer_code: z.string().meta({ description: 'The transfer code. The new registrar needs this code.' }),
      }),
    },
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
      'Only the owner can call this. The contact with the id `contact_id` becomes the new registrant. The service sends the current data of this contact to the registry. If the domain is locked, the call still works, and the domain stays locked. Status 202: the registry has received the request and decides later.',
    params: domainParams,
    body: z.strictObject({
      contact_id: z.string().max(100).meta({ description: 'The id of a contact of the account.' }),
    }),
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
      'Only the owner can call this. A manager can read the domain, change its nameservers, lock it, and turn on auto-renew. Access starts when the invited person accepts. The account of that person must have this email address, and the address must be confirmed. To resend the email, repeat the call.',
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
    summary: 'Remove a manager of a domain',
    description:
      'The owner can remove any manager. Managers can remove only themselves. To cancel an invitation, send its email address as `account`.',
    params: domainParams.extend({ account: managerAccount }),
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
      'Only the owner can call this. Status 204: the domain has left this service, but the zone of the domain stays here. Status 202: the registry has received the request and decides later.',
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
    description: 'Only the owner can call this. Status 202: the registry has received the request and decides later.',
    params: domainParams,
    outside: 'registry',
    answers: changed,
    errors: registryErrors,
  }),
}
