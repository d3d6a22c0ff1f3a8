import { Badge, Group, Stack, Text } from '@mantine/core'
import { Name } from '../ui/name.tsx'
import { shownOwner, shownRecord } from '../util/check-rrset.ts'

/** One side of a difference. The contract omits a TTL (null) only for keys that cannot read. */
type Side = { readonly ttl: number | null; readonly records: readonly string[] } | null

/** How one rrset changes. */
export interface RrsetChange {
  readonly name: string
  readonly type: string
  readonly before: Side
  readonly after: Side
}

/** The number of rows that are shown first; a longer list shows how many more there are. */
const mostShown = 80

/** Differences of a zone, one per rrset: what is removed and what is added, in words and colors. */
export function DiffView({ changes, zone }: { changes: readonly RrsetChange[]; zone: string }) {
  if (changes.length === 0) return <Text className="quiet">Nothing changes.</Text>
  return (
    <Stack gap="sm" role="list" aria-label="Changes">
      {changes.slice(0, mostShown).map((change) => (
        <DiffItem key={`${change.name} ${change.type}`} change={change} zone={zone} />
      ))}
      {changes.length > mostShown && (
        <Text size="sm" className="quiet">
          And {(changes.length - mostShown).toLocaleString('en')} more.
        </Text>
      )}
    </Stack>
  )
}

function DiffItem({ change: { name, type, before, after }, zone }: { change: RrsetChange; zone: string }) {
  const old = linesOf(before)
  const now = linesOf(after)
  return (
    <div role="listitem" className="card diff-item">
      <Group gap="xs" p="xs" wrap="wrap">
        <Text fw={600} className="mono">
          <Name>{shownOwner(name, zone)}</Name> {type}
        </Text>
        {before === null ? (
          <Badge className="badge-green">New</Badge>
        ) : after === null ? (
          <Badge className="badge-red">Deleted</Badge>
        ) : (
          <Badge className="badge-orange">Changed</Badge>
        )}
        {before === null && after?.ttl != null && <Text size="sm">TTL {after.ttl}</Text>}
        {before !== null && after !== null && before.ttl !== after.ttl && (
          <Text size="sm">
            TTL {before.ttl} → {after.ttl}
          </Text>
        )}
      </Group>
      {old
        .filter((line) => !now.includes(line))
        .map((line) => (
          <div key={`- ${line}`} className="diff-line diff-removed">
            <span aria-hidden="true">− </span>
            <span className="only-read">removed: </span>
            {shownRecord(type, line)}
          </div>
        ))}
      {now
        .filter((line) => !old.includes(line))
        .map((line) => (
          <div key={`+ ${line}`} className="diff-line diff-added">
            <span aria-hidden="true">+ </span>
            <span className="only-read">added: </span>
            {shownRecord(type, line)}
          </div>
        ))}
    </div>
  )
}

function linesOf(side: Side): readonly string[] {
  return side?.records ?? []
}
