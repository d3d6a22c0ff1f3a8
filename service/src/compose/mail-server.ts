import { createSmtpMail } from '#adapters/smtp-mail/index.ts'
import type { Configuration } from '#platform/settings/configuration.ts'
import type { MailServer } from '#ports/mail.ts'

/** The mail server of this configuration, if it has one. */
export function mailServerOf({ smtp, mailFrom }: Configuration): MailServer | undefined {
  return smtp && createSmtpMail({ ...smtp, from: mailFrom })
}
