import { auditRoutes, displayText, type WireAuditEntry } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { type AuditRow, pageOfAudit } from './read-audit.ts'
import { referenceOf } from './rules.ts'
import { actorToWire } from './shown-actor.ts'

/** Finds the zone of a filter by its id, or by its name as the log stores it. `zones`, a higher level, provides this. */
type ParseZoneRef = (text: string) => { readonly id: string } | { readonly name: string }

export function mountAuditRoutes(server: HttpServer, parseZoneRef: ParseZoneRef): void {
  const { db } = server.database

  server.mount(auditRoutes.listAudit, async ({ caller, query, accept, list }) => {
    const { limit, zone, actor, action, since, until } = query
    const after = list.after('instant', 'number')
    const { rows, end } = await pageOfAudit(db, caller.accountId, {
      limit,
      after,
      zone: zone === undefined ? undefined : partsOf(zone, parseZoneRef(zone)),
      actor,
      action,
      since,
      until,
    })
    const page = list.page(rows, ({ atText, id }) => [atText, String(id)])
    const nextCursor = page.nextCursor ?? (end && list.cursorTo(...end))
    const entries = page.rows.map(toWire)
    if (accept === auditRoutes.listAudit.alsoAs)
      return {
        status: 200,
        type: 'text/csv; charset=utf-8',
        body: toCsv(entries),
        nextCursor,
        headers: { 'next-cursor': nextCursor ?? '' },
      }
    return { status: 200, body: { data: entries, next_cursor: nextCursor } }
  })
}

/** The texts that a filter by zone searches for: the id; or part of a name as typed, and its ASCII form. */
function partsOf(text: string, ref: ReturnType<ParseZoneRef>): string[] {
  return 'id' in ref ? [ref.id] : [...new Set([text.toLowerCase(), ref.name])].filter((part) => part !== '')
}

function toWire(row: AuditRow): WireAuditEntry {
  return {
    at: row.at.toISOString(),
    actor: actorToWire(row),
    source: row.source,
    action: row.action,
    zone: row.zone,
    domain: row.domain,
    summary: displayText(row.summary),
    zone_id: row.zoneId,
    reference: referenceOf(row),
    request_id: row.requestId,
    address: row.address,
  }
}

const columns = [
  'at',
  'actor_kind',
  'actor_name',
  'actor_id',
  'action',
  'zone',
  'domain',
  'summary',
  'request_id',
  'address',
  'source',
  'actor_account_id',
  'actor_account_email',
  'zone_id',
  'reference_kind',
  'reference_id',
]

/** The entries as CSV (RFC 4180); the first line has the names of the columns. */
function toCsv(entries: readonly WireAuditEntry[]): string {
  const lines = entries.map(({ actor, ...entry }) =>
    [
      entry.at,
      actor.kind,
      actor.name,
      actor.id,
      entry.action,
      entry.zone,
      entry.domain,
      entry.summary,
      entry.request_id,
      entry.address,
      entry.source,
      actor.account_id,
      actor.account_email,
      entry.zone_id,
      entry.reference?.kind ?? null,
      entry.reference?.id ?? null,
    ]
      .map(cell)
      .join(','),
  )
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function cell(value: string | null): string {
  if (value === null) return ''
  // A spreadsheet must not interpret a name as a formula.
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
