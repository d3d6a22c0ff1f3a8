import { delegationRoutes, delegationToWire, registrarToWire, type WireDelegation } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { HttpServer } from '#http/server.ts'
import { type CheckContext, checkNow } from './check-delegation.ts'
import { findRegistrar } from './find-registrar.ts'
import { readDelegation } from './store.ts'

/** What the delegation routes need from other modules. */
export type DelegationRoutesContext = Omit<CheckContext, 'database'>

export function mountDelegationRoutes(server: HttpServer, context: DelegationRoutesContext): void {
  const { database } = server

  server.mount(delegationRoutes.getDelegation, async ({ zone }) => ({ status: 200, body: await shown(zone.id) }))

  server.mount(delegationRoutes.checkDelegation, ({ zone, once }) =>
    once(async () => {
      await checkNow({ ...context, database }, zone.id)
      return { status: 200, body: await shown(zone.id) }
    }),
  )

  server.mount(delegationRoutes.getRegistrar, async ({ caller, zone }) => {
    const registrar = await findRegistrar({ ...context, database }, caller.accountId, zone.name)
    return { status: 200, body: registrarToWire(registrar) }
  })

  async function shown(zoneId: string): Promise<WireDelegation> {
    const row = await readDelegation(database.db, zoneId)
    if (row === undefined) throw noSuchZone()
    return delegationToWire({ ...row, expected: [...context.nameservers, ...row.secondaryNames] })
  }
}
