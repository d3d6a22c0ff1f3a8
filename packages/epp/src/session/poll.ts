import { attribute, type Content, content, optionalAttribute, optionalChild, text } from '../content/content.ts'
import { epp, minToken } from '../content/eppcom.ts'
import { instant, oneOf, wholeNumber } from '../content/scalar.ts'
import type { XmlElement } from '../element.ts'

/** Requests the oldest message, or removes one from the queue (RFC 5730 §2.9.2.3). */
export interface Poll {
  readonly op: 'req' | 'ack'
  /** Only for an `ack`. */
  readonly messageId?: string
}

export const poll: Content<Poll> = content<Poll>({
  op: attribute('op', oneOf('a poll operation', ['req', 'ack'])),
  messageId: optionalAttribute('msgID', minToken),
})

/** The state of the queue, in any response. Only a response to `req` has the date and the text. */
export interface MessageQueue {
  readonly count: number
  /** The id of the oldest message, or of the acknowledged one. */
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

/** Registries may put their own elements into the text of a message. The text of these elements is then the message. */
function wholeText(element: XmlElement): string {
  return [element.text, ...element.children.map(wholeText)].join(' ').replaceAll(/\s+/g, ' ').trim()
}
