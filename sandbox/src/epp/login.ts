import type { Command } from '@zonewright/epp'
import { Namespace } from '@zonewright/epp'
import type { Registry } from './registry.ts'
import { RefusedCommand } from './reply.ts'

export const objectServices: readonly string[] = [Namespace.domain, Namespace.contact, Namespace.host]
export const extensionServices: readonly string[] = [Namespace.secDns, Namespace.rgp, Namespace.fee]

/** Logs a registrar in (RFC 5730 §2.9.1.1), or refuses it. The certificate must belong to the registrar, so a stolen password alone is useless. */
export function logIn(
  registry: Registry,
  { registrarId, password, newPassword, options, services }: Extract<Command, { kind: 'login' }>['body'],
  certificateName: string | undefined,
): string {
  if (options.version !== '1.0') throw new RefusedCommand(2100, 'Only 1.0 is spoken')
  if (options.language !== 'en') throw new RefusedCommand(2102, 'Only English is spoken')
  const unknown = services.objects.find((uri) => !objectServices.includes(uri))
  if (unknown !== undefined) throw new RefusedCommand(2307, unknown)
  const unheard = services.extensions?.find((uri) => !extensionServices.includes(uri))
  if (unheard !== undefined) throw new RefusedCommand(2103, unheard)
  const account = registry.store.get('registrar', registrarId)
  if (account?.password !== password || certificateName !== registrarId)
    throw new RefusedCommand(2200, 'Registrar, password and certificate do not belong together')
  if (newPassword !== undefined) registry.store.put('registrar', registrarId, { ...account, password: newPassword })
  return registrarId
}
