import type { NotificationTopic } from '@zonewright/contract'
import type { MessageKind } from '#modules/mail/index.ts'

/** The topic of an email to an account. `isOptional`: the owner can mute it (`muted`). */
interface Notice {
  readonly topic: NotificationTopic
  readonly isOptional?: true
}

/**
 * The emails that tell an account of something, by kind. null: the email answers a request of its reader, or is for someone else, so no
 * setting applies to it.
 *
 * A disabled endpoint, a new device, failed codes, an expiring domain and an ownership contest are never optional.
 */
const notices: Readonly<Record<MessageKind, Notice | null>> = {
  alias_failing: { topic: 'zones', isOptional: true },
  records_removed: { topic: 'zones' },
  zone_contested: { topic: 'zones' },
  zone_live: { topic: 'zones', isOptional: true },
  zone_lost: { topic: 'zones' },
  zone_proved_elsewhere: { topic: 'zones' },
  zones_lost_below: { topic: 'zones' },
  domain_expired: { topic: 'domains' },
  domain_expiring: { topic: 'domains' },
  domain_gone: { topic: 'domains' },
  domain_in_redemption: { topic: 'domains' },
  domain_renewing: { topic: 'domains', isOptional: true },
  renewal_to_pay: { topic: 'domains' },
  card_expiring: { topic: 'domains' },
  transfer_requested: { topic: 'domains' },
  endpoint_disabled: { topic: 'webhooks' },
  endpoint_failing: { topic: 'webhooks', isOptional: true },
  key_created: { topic: 'keys' },
  key_expiring: { topic: 'keys', isOptional: true },
  key_narrowed: { topic: 'keys' },
  key_sent_in_clear: { topic: 'keys' },
  key_tsig_created: { topic: 'keys' },
  key_unused: { topic: 'keys', isOptional: true },
  guesses_failed: { topic: 'security' },
  password_changed: { topic: 'security' },
  signed_in: { topic: 'security' },
  two_factor_changed: { topic: 'security' },
  passkey_changed: { topic: 'security' },
  provider_changed: { topic: 'security' },
  notification_address_added: { topic: 'security' },
  account_deletion: null,
  already_registered: null,
  confirm_new_address: null,
  confirm_notifications: null,
  domain_invitation: null,
  email_changed: null,
  finish_sign_up: null,
  pay_link: null,
  reset_password: null,
  test: null,
  zone_invitation: null,
}

/** The recipients of an account's emails about a topic: its own address, and the other addresses with this topic. */
export interface Readers {
  readonly email: string
  readonly isMuted: boolean
  readonly others: readonly string[]
}

/** The topic of an email; undefined: no setting applies to it, and it goes to the address of the account alone. */
export function topicOf(kind: MessageKind): NotificationTopic | undefined {
  return notices[kind]?.topic
}

/** The addresses that get an email of this kind. */
export function addressesFor(kind: MessageKind, { email, isMuted, others }: Readers): string[] {
  const notice = notices[kind]
  if (notice === null) return [email]
  const own = isMuted && notice.isOptional === true ? [] : [email]
  return [...own, ...others.filter((other) => other !== email)]
}
