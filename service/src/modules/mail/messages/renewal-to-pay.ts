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
    subject: `Pay for the renewal of ${domain}, which expires on ${dayText(expiresAt)}`,
    blocks: [
      `Your domain ${domain} expires on ${dayText(expiresAt)}. Auto-renew is on, and the renewal is ordered; your credit does not cover all of it.`,
      { facts: [['Still to pay', amount]] },
      { label: 'Pay by card', href: link },
      `The link works for ${durationText(validForS)}. Whoever has it can pay.`,
    ],
  })
}
