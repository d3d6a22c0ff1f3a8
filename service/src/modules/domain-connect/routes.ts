import { connectDoorRoutes, domainConnectRoutes } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { type DoorCall, textRefusal } from '#modules/doors/index.ts'
import { applyPreset, givenBy, warningsOf } from '#modules/presets/index.ts'
import {
  aliasTargets,
  bulkBody,
  freeBytes,
  markOf,
  RecordAccess,
  type RecordWriter,
  readAliasWarnings,
  requestBy,
} from '#modules/records/index.ts'
import { liveZoneNamed, parseZoneRef } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { databaseNow, type Tx } from '#platform/postgres/index.ts'
import type { Resolver } from '#ports/resolver.ts'
import { refused } from './connect-request.ts'
import { type ConnectCatalogue, templateId } from './connect-template.ts'
import { checkToken, tokenFor } from './connect-token.ts'
import { findRequest, readRequest } from './read-request.ts'
import { type ConnectProvider, settingsOf } from './settings.ts'
import { wantedRecords } from './wanted-records.ts'

export interface DomainConnectContext {
  readonly catalogue: ConnectCatalogue
  /** Undefined: Domain Connect is off, and service providers get 404. */
  readonly setting: ConnectProvider | undefined
  /** PUBLIC_URL. */
  readonly site: string
  readonly nameservers: readonly string[]
  readonly writer: RecordWriter
  /** Finds the public keys of service providers. */
  readonly resolver: Resolver
}

/** Mounts the routes of the dashboard's page, and the door for service providers. */
export function mountDomainConnectRoutes(server: HttpServer, context: DomainConnectContext): void {
  const { catalogue, resolver, setting, writer } = context
  const { secrets } = server
  const { db } = server.database

  server.mount(domainConnectRoutes.readConnectRequest, async ({ body: { request: target }, caller, once }) => {
    const found = findRequest(catalogue, target)
    return once(async () => {
      const read = await readRequest(found, resolver)
      const checked = { accountId: caller.accountId, target, template: found.template }
      return { status: 200, body: { ...read, token: tokenFor(secrets, checked, await databaseNow(db)) } }
    })
  })

  server.mount(domainConnectRoutes.applyConnectRequest, async ({ body, query, ...call }) => {
    const { caller, zone } = call
    const { request, template, domain } = findRequest(catalogue, body.request)
    const checked = { accountId: caller.accountId, target: body.request, template }
    checkToken(secrets, body.token, checked, await databaseNow(db))
    if (domain !== zone.name) throw refused('other_zone', `The link is for ${domain}, not for ${zone.name}.`)
    const wanted = wantedRecords(template.template, zone.name, request)
    const wish = { ...requestBy(call, wanted), zoneName: zone.name, dryRun: query.dry_run, wanted }
    const given = givenBy(wanted)
    const apply = async (tx: Tx) => {
      const { result, oddities } = await applyPreset(tx, wish)
      const warnings = [...warningsOf(result.moves), ...oddities, ...(await readAliasWarnings(tx, given))]
      return {
        status: 200,
        body: bulkBody(new RecordAccess(caller, zone), result, [], warnings),
        ...(query.dry_run ? {} : markOf(result, freeBytes)),
      }
    }
    return writer.withTargets(aliasTargets(given), () => call.transact(apply))
  })

  const door = (answer: (request: DoorCall['request'], setting: ConnectProvider) => Promise<Answer>) => ({
    secretOf: () => undefined,
    answer: async ({ request }: DoorCall) => {
      if (setting === undefined) throw new Refusal('not_found', 'Domain Connect is turned off here.')
      return answer(request, setting)
    },
    problem: textRefusal,
  })

  server.mountDoor(
    connectDoorRoutes.settings,
    door(async ({ params }, setting) => {
      const ref = parseZoneRef(params['domain'] ?? '')
      const zone = 'name' in ref ? await liveZoneNamed(db, ref.name) : undefined
      if (zone === undefined) throw new Refusal('not_found', 'This zone is not hosted here.')
      return { status: 200, body: settingsOf(setting, context) }
    }),
  )

  server.mountDoor(
    connectDoorRoutes.template,
    door(async ({ params }) => {
      const template = catalogue.templates.get(templateId(params['provider'] ?? '', params['service'] ?? ''))
      if (template === undefined || template.syncBlock)
        throw new Refusal('not_found', 'This template is not installed here.')
      const { version } = template
      return { status: 200, body: version === undefined ? {} : { version } }
    }),
  )

  server.mountDoor(
    connectDoorRoutes.apply,
    door(async ({ target }) => ({
      status: 302,
      type: 'text/plain; charset=utf-8',
      // In the fragment, which browsers send to no server: the query is in no log, and keeps its order and encoding.
      headers: {
        location: `${new URL(context.site).origin}/app/domain-connect#${Buffer.from(target, 'latin1').toString('base64url')}`,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      },
      body: 'Continue in the dashboard.\n',
    })),
  )
}
