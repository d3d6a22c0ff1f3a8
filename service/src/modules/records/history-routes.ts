import { versionRoutes, type WireDiff, type WireVersion } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { actorToWire } from '#modules/audit/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { changesOf, pageOfVersions, readVersion, targetsSince, type Version } from './history-store.ts'
import { RecordAccess } from './record-access.ts'
import { markOf, type RecordWriter, requestOf, writeWarnings } from './record-writer.ts'
import { changesBackTo, restoreVersion } from './restore-version.ts'
import type { RrsetMove } from './rrset.ts'
import { bulkBody, headersOf, sideToWire } from './write-answers.ts'

/** The routes of a zone's history. */
export function mountHistoryRoutes(server: HttpServer, writer: RecordWriter): void {
  const { db } = server.database
  const { finish } = writer

  server.mount(versionRoutes.listVersions, async ({ zone, query, list }) => {
    const [below] = list.after('number') ?? []
    const versions = await pageOfVersions(db, zone.id, { below, limit: query.limit })
    const page = list.page(versions, ({ version }) => [String(version)])
    return { status: 200, body: { data: page.rows.map(versionToWire), next_cursor: page.nextCursor } }
  })

  server.mount(versionRoutes.getVersion, async ({ zone, params }) => {
    return { status: 200, body: versionToWire((await readVersion(db, zone.id, params.version)) ?? noSuchVersion()) }
  })

  server.mount(versionRoutes.diffVersion, ({ caller, zone, params }) =>
    writer.reading({ caller }, async () => {
      const changes = (await changesOf(db, zone.id, params.version)) ?? noSuchVersion()
      return { status: 200, body: { changes: changes.map(moveToWire) } }
    }),
  )

  server.mount(
    versionRoutes.restoreVersion,
    async ({ params, ...call }) => {
      // The caller has sent no records, so it sees only those that it can read.
      const nothing = { changes: [], warnings: [], dotless: [] }
      const wish = requestOf(call, { ...nothing, pathOf: () => 'version' })
      if (call.query.dry_run) {
        const changes = await writer.reading(call, () => changesBackTo(db, call.zone, params.version))
        return writer.preview(call, { ...wish, changes }, nothing)
      }
      const restore = async (tx: Tx) => {
        const result = await restoreVersion(tx, wish, params.version)
        const body = bulkBody(
          new RecordAccess(call.caller, call.zone),
          result,
          [],
          await writeWarnings(tx, call, nothing, result),
        )
        return {
          status: 200,
          body,
          headers: headersOf(result),
          // This call has no body.
          ...markOf(result, 0),
        }
      }
      return writer.wholeZone(call, async () =>
        writer.withTargets(await targetsSince(db, call.zone.id, params.version), () => call.transact(restore)),
      )
    },
    { finish },
  )
}

function noSuchVersion(): never {
  throw new Refusal('not_found', 'This version does not exist or is no longer kept.')
}

function versionToWire(version: Version): WireVersion {
  return {
    version: version.version,
    serial: version.serial % 2 ** 32,
    at: version.at.toISOString(),
    actor: actorToWire(version),
    source: version.source,
    changes_count: version.changesCount,
    changes: version.changes?.map(moveToWire) ?? null,
  }
}

function moveToWire({ name, type, before, after }: RrsetMove): WireDiff['changes'][number] {
  return { name, type, before: sideToWire(before), after: sideToWire(after) }
}
