import { compose, type Message } from './message.ts'

/** Shows an operator that emails are sent, and how they look. */
export function testMail(about: { site: string }): Message {
  return compose({
    kind: 'test',
    subject: 'Test email from Zonewright',
    blocks: [
      'This installation can send you email. It is sent by:',
      { label: 'The site', href: about.site },
      'Reply to this email to check that replies reach a person. Some emails ask for a reply.',
    ],
  })
}
