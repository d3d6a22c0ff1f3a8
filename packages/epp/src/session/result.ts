import {
  attribute,
  type Content,
  child,
  children,
  content,
  elementWith,
  optionalAttribute,
  ownText,
} from '../content/content.ts'
import { epp, language } from '../content/eppcom.ts'
import { line, type Scalar, wholeNumber } from '../content/scalar.ts'
import { EppFault } from '../faults.ts'

/** How a command ended (RFC 5730 §2.6, §3). */
export interface Result {
  readonly code: number
  readonly message: Message
  /** The reasons as text from the server. The parts of the command that they refer to are not kept. */
  readonly reasons: readonly string[]
}

/** A text for a person; without a language it is English. */
export interface Message {
  readonly text: string
  readonly language?: string
}

export const message: Content<Message> = content<Message>({
  text: ownText(line('a message')),
  language: optionalAttribute('lang', language),
})

const reason = content<{ reason: Message; value: null }>({
  // The schema requires an element that the client has sent. Other servers also write an empty one.
  value: {
    read: () => null,
    write: () => ({ children: [elementWith(epp('value'), { children: [elementWith(epp('undef'), {})] })] }),
  },
  reason: child(epp('reason'), message),
})

const reasons = children(epp('extValue'), {
  read: (element) => reason.read(element).reason.text,
  write: (value) => reason.write({ value: null, reason: { text: value } }),
} satisfies Content<string>)

/** Codes that are not in the schema are accepted when reading, but never written. */
const resultCodes = new Set([
  1000, 1001, 1300, 1301, 1500, 2000, 2001, 2002, 2003, 2004, 2005, 2100, 2101, 2102, 2103, 2104, 2105, 2106, 2200,
  2201, 2202, 2300, 2301, 2302, 2303, 2304, 2305, 2306, 2307, 2308, 2400, 2500, 2501, 2502,
])
const anyCode = wholeNumber('a result code', 1000, 2999)
const code: Scalar<number> = {
  parse: anyCode.parse,
  format: (value) => {
    if (!resultCodes.has(value)) throw new EppFault('bad_value', `${value} is no result code.`)
    return anyCode.format(value)
  },
}

export const result: Content<Result> = content<Result>({
  code: attribute('code', code),
  message: child(epp('msg'), message),
  reasons,
})
