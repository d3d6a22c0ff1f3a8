import { type Command, readCommand, writeCommand } from './command.ts'
import { elementWith } from './content/content.ts'
import { epp } from './content/eppcom.ts'
import { isNamed, onlyChild, type XmlElement } from './element.ts'
import { EppFault } from './faults.ts'
import { type Response, readResponse, writeResponse } from './response.ts'
import { type Greeting, greeting } from './session/greeting.ts'
import { writeXml } from './write-xml.ts'

/** The content of a document (RFC 5730 §2.1). */
export type Message =
  | { readonly kind: 'greeting'; readonly greeting: Greeting }
  | { readonly kind: 'hello' }
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'response'; readonly response: Response }

/** Throws EppFault `bad_message`. */
export function readMessage(root: XmlElement): Message {
  if (!isNamed(root, epp('epp'))) throw new EppFault('bad_message', `<${root.name}> is no EPP.`)
  const inside = onlyChild(root)
  switch (inside.name) {
    case 'greeting':
      return { kind: 'greeting', greeting: greeting.read(inside) }
    case 'hello':
      return { kind: 'hello' }
    case 'command':
      return { kind: 'command', command: readCommand(inside) }
    case 'response':
      return { kind: 'response', response: readResponse(inside) }
    default:
      throw new EppFault('bad_message', `<${inside.name}> is not known in <epp>.`)
  }
}

/** Writes a document as UTF-8 text without its frame. Throws EppFault `bad_value` for values that the schemas do not allow. */
export function writeMessage(message: Message): string {
  return writeXml(elementWith(epp('epp'), { children: [inside(message)] }))
}

function inside(message: Message): XmlElement {
  switch (message.kind) {
    case 'greeting':
      return elementWith(epp('greeting'), greeting.write(message.greeting))
    case 'hello':
      return elementWith(epp('hello'), {})
    case 'command':
      return writeCommand(message.command)
    case 'response':
      return writeResponse(message.response)
  }
}
