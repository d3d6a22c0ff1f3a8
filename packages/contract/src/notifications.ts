import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { route } from './route.ts'

/** What the emails to an account are about. The address of the account gets all emails about `security`. */
export const notificationTopics = ['zones', 'domains', 'webhooks', 'keys', 'security'] as const

export type NotificationTopic = (typeof notificationTopics)[number]

/** Maximum number of further addresses of an account. */
export const maxNotificationAddresses = 5

const topicList = z.array(z.enum(notificationTopics)).min(1).max(notificationTopics.length).meta({
  description:
    'What this address gets emails about. `zones`: zones that go live, are claimed by others or lost. `domains`: expiry, renewal and transfers. `webhooks`: failing and disabled endpoints. `keys`: new, expiring and unused API keys. `security`: new devices, failed codes, and changes of the password or of two-factor authentication.',
})

const muted = z
  .array(z.enum(notificationTopics).exclude(['security']))
  .max(notificationTopics.length - 1)
  .meta({
    description:
      'The topics whose optional emails the address of the account does not get. These are optional: a zone is live, an ALIAS target fails, a domain will be renewed, an endpoint is failing, and a key expires or is unused. All other emails are always sent to this address.',
  })

const addressSchema = z
  .object({
    email: z.string(),
    topics: topicList,
    state: z.enum(['unconfirmed', 'confirmed']).meta({
      description:
        '`unconfirmed`: the address gets no notifications yet, because its link was not opened. `confirmed`: it gets them.',
    }),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'NotificationAddress' })

export type WireNotificationAddress = z.infer<typeof addressSchema>

const notificationsSchema = z
  .object({
    email: z.string().meta({ description: 'The address of the account.' }),
    muted,
    addresses: z.array(addressSchema).meta({ description: `Up to ${maxNotificationAddresses} further addresses.` }),
  })
  .meta({ id: 'Notifications' })

const linkedSchema = z
  .object({
    account: z.string().meta({ description: 'The email address of the account that sends the notifications.' }),
    email: z.string().meta({ description: 'The address that received the link.' }),
    topics: topicList,
    state: z.enum(['unconfirmed', 'confirmed']),
  })
  .meta({ id: 'LinkedNotificationAddress' })

const addressParams = z.object({ email: z.string().max(254).meta({ description: 'The email address.' }) })
const token = z.string().max(2_000).meta({ description: 'The token from the emailed link.' })

export const notificationRoutes = {
  getNotifications: route({
    id: 'getNotifications',
    method: 'GET',
    path: '/account/notifications',
    who: 'session',
    summary: 'Read which emails are sent, and to whom',
    answers: { 200: notificationsSchema },
  }),
  muteNotifications: route({
    id: 'muteNotifications',
    method: 'PUT',
    path: '/account/notifications',
    who: 'session',
    summary: 'Choose which optional emails the address of the account gets',
    body: z.strictObject({ muted }),
    answers: { 200: notificationsSchema },
  }),
  addNotificationAddress: route({
    id: 'addNotificationAddress',
    method: 'POST',
    path: '/account/notifications/addresses',
    who: 'session',
    summary: 'Add an address that gets notifications',
    description: `The service emails a link to the address. The address gets notifications only after someone has opened the link and confirmed. The link is valid for 7 days. To resend the email, repeat the call. An account can have ${maxNotificationAddresses} further addresses.`,
    body: z.strictObject({ email: emailAddress, topics: topicList }),
    answers: { 201: addressSchema },
    errors: ['conflict', 'rate_limited'],
  }),
  changeNotificationAddress: route({
    id: 'changeNotificationAddress',
    method: 'PATCH',
    path: '/account/notifications/addresses/{email}',
    who: 'session',
    summary: 'Choose the topics of an address that gets notifications',
    params: addressParams,
    body: z.strictObject({ topics: topicList }),
    answers: { 200: addressSchema },
    errors: ['not_found'],
  }),
  removeNotificationAddress: route({
    id: 'removeNotificationAddress',
    method: 'DELETE',
    path: '/account/notifications/addresses/{email}',
    who: 'session',
    summary: 'Remove an address that gets notifications',
    params: addressParams,
    answers: { 204: null },
    errors: ['not_found'],
  }),
  readNotificationLink: route({
    id: 'readNotificationLink',
    method: 'POST',
    path: '/notification-links/read',
    who: 'public',
    reads: true,
    summary: 'Read what the link in a confirmation email is for',
    body: z.strictObject({ token }),
    answers: { 200: linkedSchema },
    repeatable: true,
    errors: ['conflict'],
  }),
  answerNotificationLink: route({
    id: 'answerNotificationLink',
    method: 'POST',
    path: '/notification-links/answer',
    who: 'public',
    summary: 'Start or stop the notifications to the address of a link',
    description:
      'The call requires the token from the emailed link. `confirm` starts the notifications. `stop` removes the address from the account, also after the link has expired.',
    body: z.strictObject({ token, answer: z.enum(['confirm', 'stop']) }),
    answers: { 204: null },
    repeatable: true,
    errors: ['conflict'],
  }),
}
