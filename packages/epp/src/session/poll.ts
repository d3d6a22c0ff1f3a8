import { attribute, type Content, content, optionalAttribute, optionalChild, text } from '../content/content.ts'
import { epp, minToken } from '../content/eppcom.ts'
import { instant, oneOf, wholeNumber } from '../content/scalar.ts'
import type { XmlElement } from '../element.ts'

/** Asks for the oldest message, or takes one off the queue (RFC 5730 §2.9.2.3). */
export interface Poll {
  readonly op: 'req' | 'ack'
  /** Of an `ack`. */
  readonly messageId?: string
}

export const poll: Content<Poll> = content<Poll>({
  op: attribute('op', oneOf('a poll operation', ['req', 'ack'])),
  messageId: optionalAttribute('msgID', minToken),
})

/** What waits, in any answer; date and text belong to an answer to `req`. */
export interface MessageQueue {
  readonly count: number
  /** Of the oldest message, or of the one acknowledged. */
  readonly id: string
  readonly date?: Date
  readonly text?: string
}

export const messageQueue: Content<MessageQueue> = content<MessageQueue>({
  count: attribute('count', wholeNumber('a count', 0, Number.MAX_SAFE_INTEGER)),
  id: attribute('id', minToken),
  date: optionalChild(epp('qDate'), text(instant)),
  text: optionalChild(epp('msg'), { read: wholeText, write: (value) => ({ text: value }) }),
})

/** Registries may put elements of their own into the text of a message: then theirs is what it says. */
function wholeText(element: XmlElement): string {
  return [element.text, ...element.children.map(wholeText)].join(' ').replaceAll(/\s+/g, ' ').trim()
}
