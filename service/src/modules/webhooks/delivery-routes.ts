import { eventGroups, eventTypes, webhookRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { eventBody, listEvents, readEvent, retentionDays } from '#modules/events/index.ts'
import { dayOf } from '#platform/ids.ts'
import { jsonBytes } from '#platform/json-pieces.ts'
import { inSlices } from '#platform/work/slices.ts'
import { findAttempts, findDelivery } from './delivery-store.ts'
import { readCounts } from './hours-store.ts'
import { noSuchDelivery, noSuchEndpoint, noSuchEvent } from './own-endpoint.ts'
import { listDeliveries, withSubjects } from './read-deliveries.ts'
import { recover, redeliver } from './resend.ts'
import { maxShownAttempts } from './rules.ts'
import { readEndpoint } from './store.ts'

/** A day, and a week. */
const usualPoints = { hour: 24, day: 7 }

/** Routes for reading deliveries and events, and for resending. */
export function mountDeliveryRoutes(server: HttpServer): void {
  const { db } = server.database

  server.mount(webhookRoutes.listDeliveries, async ({ caller, params, query, list }) => {
    await seen(caller.accountId, params.id)
    const { limit, status = null, type = null, zone = null, q: text = null, since } = query
    const [before = null] = list.after('text') ?? []
    const wanted = { before, status, type, zone, text, since: dateOf(since), limit }
    const { deliveries, next } = await listDeliveries(db, params.id, wanted)
    return {
      status: 200,
      body: { data: await withSubjects(db, deliveries), next_cursor: next && list.cursorTo(next) },
    }
  })

  server.mount(webhookRoutes.countAttempts, async ({ caller, params, query }) => {
    await seen(caller.accountId, params.id)
    const { step, points = usualPoints[step] } = query
    return { status: 200, body: { step, data: await readCounts(db, params.id, { step, points }) } }
  })

  server.mount(webhookRoutes.getDelivery, async ({ caller, params }) => {
    await seen(caller.accountId, params.id)
    const wanted = { day: dayOf('dlv', params.delivery), id: params.delivery, days: retentionDays }
    if (wanted.day === undefined) throw noSuchDelivery()
    const known = { ...wanted, day: wanted.day }
    const delivery = await findDelivery(db, params.id, known)
    if (delivery === undefined) throw noSuchDelivery()
    const [shown] = await withSubjects(db, [delivery])
    const attempts = await findAttempts(db, { ...known, max: maxShownAttempts })
    const body = await eventBody(db, { day: known.day, id: delivery.eventId })
    return { status: 200, body: { ...shown, attempts, body: body?.toString('utf8') ?? null } }
  })

  server.mount(webhookRoutes.redeliver, ({ caller: { accountId }, actor, params, transact }) =>
    transact(async (tx) => {
      const delivery = await redeliver(tx, { accountId, actor, id: params.id }, params.delivery)
      const [shown] = await withSubjects(tx, [delivery])
      return { status: 202, body: shown }
    }),
  )

  server.mount(webhookRoutes.recoverWebhook, async ({ caller: { accountId }, actor, params: { id }, body, once }) => {
    await seen(accountId, id)
    return once(async () => ({
      status: 202,
      body: await recover(server.database, { accountId, actor, id }, new Date(body.since)),
    }))
  })

  server.mount(webhookRoutes.listEvents, async ({ caller, query, list }) => {
    const { limit, type = null, since } = query
    const [before = null] = list.after('text') ?? []
    const wanted = { before, type, since: dateOf(since), limit }
    const { events, next } = await listEvents(db, caller.accountId, wanted)
    return { status: 200, body: { data: events, next_cursor: next && list.cursorTo(next) } }
  })

  server.mount(webhookRoutes.getEvent, async ({ caller, params }) => {
    const body = await readEvent(db, caller.accountId, params.id)
    if (body === undefined) throw noSuchEvent()
    return { status: 200, type: 'application/json; charset=utf-8', body: await withExactBody(body) }
  })

  server.mount(webhookRoutes.listEventTypes, async () => ({
    status: 200,
    body: {
      data: Object.entries(eventTypes).map(([type, description]) => ({ type, description })),
      groups: [...eventGroups],
    },
  }))

  async function seen(accountId: string, id: string): Promise<void> {
    if ((await readEndpoint(db, accountId, id)) === undefined) throw noSuchEndpoint()
  }
}

/** An event as JSON with the additional member `body`: the sent bytes, as text. They are not parsed, so their size does not matter. */
async function withExactBody(bytes: Buffer): Promise<Buffer> {
  const text = await inSlices(jsonBytes(bytes.toString('utf8')))
  return Buffer.concat([bytes.subarray(0, -1), Buffer.from(',"body":'), text, Buffer.from('}')])
}

function dateOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text)
}
