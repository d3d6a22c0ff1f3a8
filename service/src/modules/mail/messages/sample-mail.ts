import { compose, type Message } from './message.ts'

/** Shows an operator that mails are sent, and what they look like. */
export function testMail(about: { site: string }): Message {
  return compose({
    kind: 'test',
    subject: 'A test of mail',
    blocks: [
      'Mails of this installation reach you. They are sent by:',
      { label: 'The site', href: about.site },
      'Answer this mail to see whether answers reach somebody: some mails ask for one.',
    ],
  })
}
