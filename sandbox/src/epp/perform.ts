import type { Command } from '@zonewright/epp'
import { checkContacts, createContact, deleteContact, infoOfContact, updateContact } from './contact-commands.ts'
import { checkDomains, infoOfDomain } from './domain-reads.ts'
import { transferDomain } from './domain-transfers.ts'
import { createDomain, deleteDomain, renewDomain, updateDomain } from './domain-writes.ts'
import { checkHosts, createHost, deleteHost, infoOfHost, updateHost } from './host-commands.ts'
import type { Registry } from './registry.ts'
import { RefusedCommand, type Reply } from './reply.ts'

/** A command about objects. */
export type ObjectCommand = Exclude<Command, { kind: 'login' | 'logout' | 'poll' }>

/** Executes a command of a registrar. A refusal is also a reply. */
export function perform(registry: Registry, registrar: string, command: ObjectCommand): Reply {
  try {
    return carriedOut(registry, registrar, command)
  } catch (error) {
    if (error instanceof RefusedCommand) return { code: error.code, reasons: [error.message] }
    throw error
  }
}

function carriedOut(registry: Registry, registrar: string, command: ObjectCommand): Reply {
  switch (command.kind) {
    case 'domain:check':
      return checkDomains(registry, command.body, command.extensions)
    case 'domain:info':
      return infoOfDomain(registry, registrar, command.body)
    case 'domain:create':
      return createDomain(registry, registrar, command.body, command.extensions)
    case 'domain:renew':
      return renewDomain(registry, registrar, command.body, command.extensions)
    case 'domain:transfer':
      return transferDomain(registry, registrar, command.op, command.body, command.extensions)
    case 'domain:update':
      return updateDomain(registry, registrar, command.body, command.extensions)
    case 'domain:delete':
      return deleteDomain(registry, registrar, command.body)
    case 'contact:check':
      return checkContacts(registry, command.body)
    case 'contact:info':
      return infoOfContact(registry, registrar, command.body)
    case 'contact:create':
      return createContact(registry, registrar, command.body)
    case 'contact:update':
      return updateContact(registry, registrar, command.body)
    case 'contact:delete':
      return deleteContact(registry, registrar, command.body)
    case 'host:check':
      return checkHosts(registry, command.body)
    case 'host:info':
      return infoOfHost(registry, command.body)
    case 'host:create':
      return createHost(registry, registrar, command.body)
    case 'host:update':
      return updateHost(registry, registrar, command.body)
    case 'host:delete':
      return deleteHost(registry, registrar, command.body)
  }
}
