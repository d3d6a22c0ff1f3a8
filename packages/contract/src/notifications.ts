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
    'The topics about which this address gets emails. `zones`: zones that go live, are claimed by other accounts, or are lost. `domains`: expiry, renewal and transfers. `webhooks`: failing and disabled endpoints. `keys`: new, expiring and unused API keys. `security`: new devices, failed codes, and changes of the password or of two-factor authentication.',
})

const muted = z
  .array(z.enum(notificationTopics).exclude(['security']))
  .max(notificationTopics.length - 1)
  .meta({
    description:
      'The address of the account does not get the optional emails about these topics. The optional emails report that a zone is live, an ALIAS target fails, a domain will be renewed, an endpoint is failing, or a key expires or is unused. The service always sends all other emails to the address of the account.',
  })

const addressSchema = z
  .object({
    email: z.string(),
    topics: topicList,
    state: z.enum(['unconfirmed', 'confirmed']).meta({
      description:
        '`unconfirmed`: the address gets no notifications yet, because no one has confirmed the emailed link. `confirmed`: the address gets notifications.',
    }),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'NotificationAddress' })

export type WireNotificationAddress = z.infer<typeof addressSchema>

const notificationsSchema = z
  .object({
    email: z.string().meta({ description: 'The address of the account.' }),
    muted,
    addresses: z.array(addressSchema).meta({
      description: `The other addresses that get notifications, at most ${maxNotificationAddresses}.`,
    }),
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
    summary: 'Read the notification settings of the account',
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
    description: `The service emails a link to the address. The address gets notifications only after someone has opened the link and confirmed the address. The link is valid for 7 days. To resend the email, repeat the call. An account can have ${maxNotificationAddresses} such addresses besides its own.`,
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
    summary: 'Read the account, the address and the topics of a confirmation link',
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
    summary: 'Start or stop the notifications to the address of a confirmation link',
    description:
      'The call requires the token from the emailed link. `confirm` starts the notifications. `stop` removes the address from the account. `stop` also works after the link has expired.',
    body: z.strictObject({ token, answer: z.enum(['confirm', 'stop']) }),
    answers: { 204: null },
    repeatable: true,
    errors: ['conflict'],
  }),
}
