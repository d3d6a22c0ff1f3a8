import { dynamicDnsRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { type DoorOptions, type Doors, textRefusal } from '#modules/doors/index.ts'
import { zonePreloadAt } from '#modules/records/index.ts'
import { Refusal } from '#platform/errors.ts'
import { HostUpdater } from './update-hosts.ts'
import { hostsOf, parametersOf, readUpdate } from './update-request.ts'

/** Mounts dyndns2. `isPublic`: whether an address is one of the public Internet. */
export function mountDynamicDns(
  server: HttpServer,
  doors: Doors,
  { isPublic }: { readonly isPublic: (address: string) => boolean },
): void {
  const updater = new HostUpdater(server.database)
  const update: DoorOptions = {
    credentials: ['basic', 'bearer'],
    // Proxies log URLs with their parameters, so a key there is refused even if the request also has another key.
    refuse: (request) => {
      if (parametersOf(request).has('password')) throw new Refusal('invalid_key', 'Do not send the key in the address.')
    },
    zoneOf: (request) => {
      const names = hostsOf(request).flatMap(({ name }) => name ?? [])
      const [first] = names
      if (first === undefined) return {}
      return { nameInZone: first, ...(names.length === 1 && { preload: zonePreloadAt(first) }) }
    },
    authorisesItself: true,
    answer: (call) => updater.update(call, readUpdate(call.request, isPublic)),
    problem,
  }
  doors.mount(dynamicDnsRoutes.update, update)
  doors.mount(dynamicDnsRoutes.updateV3, update)
  doors.mount(dynamicDnsRoutes.checkIp, {
    credentials: [],
    problem: textRefusal,
    answer: async ({ request: { address } }) => {
      await server.limits?.admitCheckIp(address)
      return { status: 200, type: 'text/plain; charset=utf-8', body: `${plain(address)}\n` }
    },
  })
}

/** An IPv4-mapped address as IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The return codes of dyndns2. Clients read a code only from a response with status 200, and stop sending updates after `badauth`. */
const problem: DoorOptions['problem'] = ({ status, body: { error } }) => {
  const type = 'text/plain; charset=utf-8'
  if (status === 401)
    return {
      status,
      type,
      body: 'badauth\n',
      headers: { 'www-authenticate': 'Basic realm="Zonewright", charset="UTF-8"' },
    }
  if (error.code === 'rate_limited') return { status, type, body: 'abuse\n' }
  if (error.code === 'quota_exceeded') return { status: 200, type, body: 'abuse\n' }
  if (status === 403) return { status, type, body: 'badauth\n' }
  return status >= 500 ? { status: 200, type, body: '911\n' } : { status, type, body: 'dnserr\n' }
}
