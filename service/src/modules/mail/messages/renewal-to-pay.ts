import { compose, type Message } from './message.ts'
import { dayText, durationText } from './times.ts'

/**
 * Asks for the payment of a renewal that the credit did not cover. `why`: the rest of a sentence that says why the saved card has not paid it
 * either, without a full stop.
 */
export function renewalToPay(about: {
  domain: string
  expiresAt: Date
  amount: string
  link: string
  validForS: number
  why?: string | undefined
}): Message {
  const { domain, expiresAt, amount, link, validForS, why = 'your credit does not cover it' } = about
  return compose({
    kind: 'renewal_to_pay',
    subject: `Pay for the renewal of ${domain} before ${dayText(expiresAt)}`,
    blocks: [
      `Your domain ${domain} expires on ${dayText(expiresAt)}. Auto-renew is on and we have ordered the renewal, but ${why}.`,
      { facts: [['Amount due', amount]] },
      { label: 'Pay by card', href: link },
      `The link is valid for ${durationText(validForS)}. Anyone with the link can pay.`,
      ...(about.why === undefined
        ? []
        : ['You can pay with any card. This order does not charge the saved card again.']),
    ],
  })
}
