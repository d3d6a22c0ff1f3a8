import { type Message, type ReadXml, readMessage, type TransactionIds, writeMessage } from '@zonewright/epp'
import type { Domain, PendingAction } from './objects.ts'
import { type ObjectCommand, perform } from './perform.ts'
import type { Registry } from './registry.ts'
import type { Reply } from './reply.ts'

type DomainWrite = Extract<
  ObjectCommand,
  { kind: 'domain:create' | 'domain:renew' | 'domain:update' | 'domain:delete' }
>

const statuses = {
  'domain:create': 'pendingCreate',
  'domain:renew': 'pendingRenew',
  'domain:update': 'pendingUpdate',
  'domain:delete': 'pendingDelete',
} as const

/** Whether the command can wait for a decision. A transfer always does. */
export function canWait(command: ObjectCommand): command is DomainWrite {
  return command.kind in statuses
}

/** Accepts a command without executing it (1001). The domain shows that a command is pending. */
export function takeOn(registry: Registry, registrar: string, command: DomainWrite, svTrid: string): Reply {
  const pending: PendingAction = {
    registrar,
    ...(command.clTrid !== undefined && { clTrid: command.clTrid }),
    svTrid,
    document: writeMessage({ kind: 'command', command }),
    status: statuses[command.kind],
  }
  const name = command.body.name.toLowerCase()
  const domain = registry.domain(name)
  if (domain === undefined && command.kind === 'domain:create') {
    registry.keep(placeholder(registry, registrar, name, pending))
    const now = new Date(registry.now())
    return { code: 1001, data: { 'domain:creData': { name, crDate: now } } }
  }
  if (domain === undefined || domain.sponsor !== registrar || command.kind === 'domain:create')
    return perform(registry, registrar, command)
  registry.keep({ ...domain, pending })
  return { code: 1001 }
}

function placeholder(registry: Registry, registrar: string, name: string, pending: PendingAction): Domain {
  const now = registry.now()
  return {
    name,
    roid: `D${registry.store.next()}-SANDBOX`,
    sponsor: registrar,
    creator: registrar,
    createdAt: now,
    expiresAt: now + 365 * 86_400_000,
    contacts: [],
    nameservers: [],
    ds: [],
    clientStatuses: [],
    authInfo: null,
    pending,
  }
}

/** Decides the pending command of a domain, and sends its registrar a message. False: nothing is pending. */
export function decide(registry: Registry, readXml: ReadXml, name: string, isToBeDone: boolean): boolean {
  const domain = registry.domain(name)
  if (domain?.pending === undefined) return false
  const { pending, ...free } = domain
  if (pending.status === 'pendingCreate') registry.purge(domain)
  else registry.keep(free)
  const wasDone = isToBeDone && perform(registry, pending.registrar, commandOf(readXml, pending)).code < 2000
  const transaction: TransactionIds = {
    ...(pending.clTrid !== undefined && { clTrid: pending.clTrid }),
    svTrid: pending.svTrid,
  }
  registry.tell(pending.registrar, wasDone ? 'Pending action completed' : 'Pending action refused', {
    'domain:panData': { domain: { name, wasDone }, transaction, date: new Date(registry.now()) },
  })
  registry.store.commit()
  return true
}

function commandOf(readXml: ReadXml, { document }: PendingAction): ObjectCommand {
  const message: Message = readMessage(readXml(new TextEncoder().encode(document)))
  if (message.kind !== 'command') throw new Error('no command')
  return message.command as ObjectCommand
}
