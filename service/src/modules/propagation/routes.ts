import { propagationRoutes } from '@zonewright/contract'
import { isMetaType, parseType } from '@zonewright/dns'
import { noSuchZone } from '#http/authorise.ts'
import type { HttpServer } from '#http/server.ts'
import { parseTarget, RecordAccess } from '#modules/records/index.ts'
import { Refusal } from '#platform/errors.ts'
import { type PropagationContext, readPropagation } from './read-propagation.ts'

export function mountPropagationRoutes(server: HttpServer, context: PropagationContext): void {
  server.mount(propagationRoutes.getPropagation, async ({ caller, zone, query: { name, type, serial } }) => {
    if (type !== undefined && isQuestionOnly(type)) throw notAType(type)
    const rrset = name !== undefined && type !== undefined ? parseTarget(zone.name, { name, type }) : undefined
    const access = new RecordAccess(caller, zone)
    if (rrset) access.refuseRead(rrset)
    const watched = { zone, serial, rrset, hasSecondaries: access.readsAll }
    const body = await readPropagation(server.database.db, context, watched)
    if (body === undefined) throw noSuchZone()
    return { status: 200, body }
  })
}

/** ANY, AXFR and similar: no records have such a type. An invalid type is refused together with the name. */
function isQuestionOnly(type: string): boolean {
  try {
    return isMetaType(parseType(type))
  } catch {
    return false
  }
}

function notAType(type: string): Refusal {
  const message = `${type.toUpperCase()} is not a record type. Give one type, such as A.`
  return new Refusal('validation_failed', message, { details: [{ path: 'type', code: 'bad_type', message }] })
}
