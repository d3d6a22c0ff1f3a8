import { compose, type Message } from './message.ts'
import { dayText, durationText } from './times.ts'

/** Asks for the payment of a renewal that the credit did not cover. */
export function renewalToPay(about: {
  domain: string
  expiresAt: Date
  amount: string
  link: string
  validForS: number
}): Message {
  const { domain, expiresAt, amount, link, validForS } = about
  return compose({
    kind: 'renewal_to_pay',
    subject: `Pay for the renewal of ${domain} before ${dayText(expiresAt)}`,
    blocks: [
      `Your domain ${domain} expires on ${dayText(expiresAt)}. Auto-renew is on and we have ordered the renewal, but your credit does not cover it.`,
      { facts: [['Amount due', amount]] },
      { label: 'Pay by card', href: link },
      `The link is valid for ${durationText(validForS)}. Anyone with the link can pay.`,
    ],
  })
}
