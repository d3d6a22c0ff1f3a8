import { child, children, elementWith, optionalChild } from './content/content.ts'
import { epp, type TransactionIds } from './content/eppcom.ts'
import { transactionIds } from './domain/pending-action.ts'
import { childNamed, type XmlElement } from './element.ts'
import { EppFault } from './faults.ts'
import { readKnown, writeKnown } from './known-elements.ts'
import { type ResponseData, type ResponseExtensions, responseData, responseExtensions } from './response-table.ts'
import { type MessageQueue, messageQueue } from './session/poll.ts'
import { type Result, result } from './session/result.ts'

/** A response to a command (RFC 5730 §2.6). */
export interface Response {
  /** One result, or several failures. The first one decides. */
  readonly results: readonly [Result, ...Result[]]
  readonly queue?: MessageQueue
  readonly data: ResponseData
  readonly extensions: ResponseExtensions
  readonly transaction: TransactionIds
  /** For a message in the queue (1301): why its data cannot be read. It has no data then, but can still be acknowledged. */
  readonly unread?: string
}

const results = children(epp('result'), result, { min: 1 })
const queue = optionalChild(epp('msgQ'), messageQueue)
const transaction = child(epp('trID'), transactionIds)

/** `<response>`, as read by a client. Throws EppFault. */
export function readResponse(element: XmlElement): Response {
  const within = (name: string) => childNamed(element, epp(name))?.children ?? []
  const [first, ...more] = results.read(element)
  const waiting = queue.read(element)
  const response = {
    results: [first ?? noResult(), ...more],
    ...(waiting && { queue: waiting }),
    transaction: transaction.read(element),
  } as const
  try {
    return {
      ...response,
      data: readKnown<ResponseData>(responseData, within('resData')),
      extensions: readKnown<ResponseExtensions>(responseExtensions, within('extension')),
    }
  } catch (error) {
    // It stays the oldest message until it is acknowledged. If it could not be read, it would block all later ones.
    if (!(error instanceof EppFault) || first?.code !== 1301 || waiting === undefined) throw error
    return { ...response, data: {}, extensions: {}, unread: error.message }
  }
}

export function writeResponse(response: Response): XmlElement {
  const data = writeKnown<ResponseData>(responseData, response.data)
  const extensions = writeKnown<ResponseExtensions>(responseExtensions, response.extensions)
  return elementWith(epp('response'), {
    children: [
      ...(results.write(response.results).children ?? []),
      ...(queue.write(response.queue).children ?? []),
      ...(data.length > 0 ? [elementWith(epp('resData'), { children: data })] : []),
      ...(extensions.length > 0 ? [elementWith(epp('extension'), { children: extensions })] : []),
      ...(transaction.write(response.transaction).children ?? []),
    ],
  })
}

function noResult(): never {
  throw new EppFault('bad_message', 'A response lacks its result.')
}
