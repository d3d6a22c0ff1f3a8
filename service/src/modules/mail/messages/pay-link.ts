import { compose, type Message } from './message.ts'
import { durationText } from './times.ts'

/** Asks someone to pay for a domain that another person has ordered. The domain name is the only part that the other person chose. */
export function payLinkMail(about: { order: string; amount: string; link: string; validForS: number }): Message {
  return compose({
    kind: 'pay_link',
    subject: `Payment for ${about.order}`,
    blocks: [
      `You have been asked to pay for the domain ${about.order}.`,
      { facts: [['Amount', about.amount]] },
      { label: 'Pay by card', href: about.link },
      `The link is valid for ${durationText(about.validForS)}. If you do not know what this is about, ignore this email.`,
    ],
    usefulForS: about.validForS,
  })
}
