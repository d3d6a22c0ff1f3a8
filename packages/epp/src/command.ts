import { type CommandExtensions, commandExtensions, type ObjectCommands, objectCommands } from './command-table.ts'
import { type Content, elementWith, text } from './content/content.ts'
import { epp, transactionId } from './content/eppcom.ts'
import { oneOf } from './content/scalar.ts'
import { type TransferOperation, transferOperations } from './domain/transfer.ts'
import { childNamed, onlyChild, type XmlElement } from './element.ts'
import { EppFault } from './faults.ts'
import { nameIn, readKnown, writeKnown, writeOne } from './known-elements.ts'
import { type Login, login } from './session/login.ts'
import { type Poll, poll } from './session/poll.ts'

/** What every command has, whatever it is about. */
interface Common {
  readonly clTrid?: string
  readonly extensions: CommandExtensions
}

/** A command (RFC 5730 §2.5, §2.9). A transfer also has an operation. */
export type Command = Common &
  (
    | { readonly kind: 'login'; readonly body: Login }
    | { readonly kind: 'logout'; readonly body: null }
    | { readonly kind: 'poll'; readonly body: Poll }
    | {
        readonly kind: 'domain:transfer'
        readonly op: TransferOperation
        readonly body: ObjectCommands['domain:transfer']
      }
    | {
        [K in Exclude<keyof ObjectCommands, 'domain:transfer'>]: { readonly kind: K; readonly body: ObjectCommands[K] }
      }[Exclude<keyof ObjectCommands, 'domain:transfer'>]
  )

export type CommandKind = Command['kind']

const operation = oneOf('a transfer operation', transferOperations)
const trid = text(transactionId)

/** `<command>`, as read by a server. Throws EppFault. */
export function readCommand(element: XmlElement): Command {
  const [verb] = element.children
  if (verb === undefined) throw new EppFault('bad_message', 'A command lacks its verb.')
  const extension = childNamed(element, epp('extension'))
  const found = childNamed(element, epp('clTRID'))
  const common: Common = {
    ...(found && { clTrid: trid.read(found) }),
    extensions: extension ? readKnown<CommandExtensions>(commandExtensions, extension.children) : {},
  }
  return { ...common, ...readVerb(verb) } as Command
}

function readVerb(verb: XmlElement): Pick<Command, 'kind' | 'body'> & { op?: TransferOperation } {
  switch (verb.name) {
    case 'login':
      return { kind: 'login', body: login.read(verb) }
    case 'logout':
      return { kind: 'logout', body: null }
    case 'poll':
      return { kind: 'poll', body: poll.read(verb) }
  }
  const object = onlyChild(verb)
  const kind = nameIn<ObjectCommands>(objectCommands, object)
  if (kind === undefined || object.name !== verb.name)
    throw new EppFault('bad_message', `There is no command to ${verb.name} a ${object.name} of ${object.namespace}.`)
  const body = objectCommands[kind].content.read(object)
  if (kind !== 'domain:transfer') return { kind, body }
  const op = operation.parse(verb.attributes['op'] ?? '')
  if (op === undefined) throw new EppFault('bad_message', 'A transfer lacks its operation.')
  return { kind, body, op }
}

/** Throws EppFault `bad_value` for values that the schemas do not allow. */
export function writeCommand(command: Command): XmlElement {
  const extensions = writeKnown<CommandExtensions>(commandExtensions, command.extensions)
  return elementWith(epp('command'), {
    children: [
      writeVerb(command),
      ...(extensions.length > 0 ? [elementWith(epp('extension'), { children: extensions })] : []),
      ...(command.clTrid === undefined ? [] : [elementWith(epp('clTRID'), trid.write(command.clTrid))]),
    ],
  })
}

function writeVerb(command: Command): XmlElement {
  switch (command.kind) {
    case 'login':
      return elementWith(epp('login'), login.write(command.body))
    case 'logout':
      return elementWith(epp('logout'), {})
    case 'poll':
      return elementWith(epp('poll'), poll.write(command.body))
  }
  const { kind, body } = command
  const known = objectCommands[kind] as {
    readonly element: (typeof objectCommands)[typeof kind]['element']
    readonly content: Content<typeof body>
  }
  const object = writeOne(known, body)
  const attributes = kind === 'domain:transfer' ? { op: operation.format(command.op) } : {}
  return elementWith(epp(object.name), { attributes, children: [object] })
}
