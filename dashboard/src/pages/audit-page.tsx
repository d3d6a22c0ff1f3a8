import { Box, Button, Group, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Item } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { ActorLine } from '../components/actor-line.tsx'
import { Empty, Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Names } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { VirtualTableRows } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { WideTable } from '../ui/wide-table.tsx'
import { auditLink } from '../util/audit-link.ts'
import { download } from '../util/download.ts'
import { joinTables } from '../util/join-tables.ts'
import { startOfDay } from '../util/time.ts'

interface Filters {
  readonly zone?: string
  readonly actor?: string
  readonly action?: string
  readonly since?: string
  readonly until?: string
}

const typingPauseMs = 250
/** The audit log: who changed what. */
export function AuditPage() {
  const filters: Filters = useSearch({ from: '/signed-in/audit-log' })
  const navigate = useNavigate({ from: '/audit-log' })
  const [settled] = useDebouncedValue(filters, typingPauseMs)
  const query = queryOf(settled)
  const log = useInfiniteQuery(queries.audit(query))
  const csv = useMutation({
    mutationFn: () => wholeTable(query),
    onSuccess: (text) => download('audit-log.csv', 'text/csv', text),
  })
  const set = (change: Filters): void => {
    const next = Object.fromEntries(Object.entries({ ...filters, ...change }).filter(([, value]) => value !== ''))
    void navigate({ search: next, replace: true, resetScroll: false })
  }
  return (
    <Page
      title="Audit log"
      lead="Who changed what, and when."
      actions={
        <Button variant="default" loading={csv.isPending} onClick={() => csv.mutate()}>
          Export CSV
        </Button>
      }
    >
      <Failure error={csv.error} />
      <Group gap="sm" align="flex-end">
        <Filter label="Actor" value={filters.actor} onChange={(actor) => set({ actor })} />
        <Filter label="Action" value={filters.action} onChange={(action) => set({ action })} />
        <Filter label="Zone or domain" value={filters.zone} onChange={(zone) => set({ zone })} />
        <Filter label="From" type="date" value={filters.since} onChange={(since) => set({ since })} />
        <Filter label="To" type="date" value={filters.until} onChange={(until) => set({ until })} />
      </Group>
      <PagedList
        of={log}
        empty={
          <Empty
            icon="audit"
            title={log.hasNextPage ? 'None among the latest changes' : 'Nothing here'}
            action={
              <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                Show all entries
              </Button>
            }
          >
            {log.hasNextPage ? 'Older changes may match.' : 'No change matches these filters.'}
          </Empty>
        }
      >
        {(rows) => (
          <WideTable label="Changes" minWidth={720} isStacked rowCount={rows.length + 1}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Time</Table.Th>
                <Table.Th>Actor</Table.Th>
                <Table.Th>Action</Table.Th>
                <Table.Th>Zone or domain</Table.Th>
                <Table.Th>Address</Table.Th>
              </Table.Tr>
            </Table.Thead>
            {/* Entries have no id. Newer ones are added in front, so a row out of view has another's height until it is measured. */}
            <VirtualTableRows items={rows} keyOf={(_, index) => String(index)}>
              {(row) => (
                <>
                  <Table.Td className="stacked-left stacked-last">
                    <When at={row.at} />
                  </Table.Td>
                  <Table.Td>
                    <ActorLine actor={row.actor} source={row.source} />
                  </Table.Td>
                  <Table.Td className="stacked-first">
                    <Text size="sm">
                      <Summary of={row} />
                    </Text>
                    <Text size="xs" className="mono quiet">
                      {row.action}
                    </Text>
                  </Table.Td>
                  <Table.Td className={row.zone === null && row.domain === null ? 'wide-only' : 'mono'}>
                    <Names>{row.zone ?? row.domain ?? '–'}</Names>
                  </Table.Td>
                  <Table.Td className="mono stacked-right stacked-last">
                    {/* As wide as any IPv4 address. */}
                    <Box miw={{ sm: '15ch' }}>{row.address ?? '–'}</Box>
                  </Table.Td>
                </>
              )}
            </VirtualTableRows>
          </WideTable>
        )}
      </PagedList>
    </Page>
  )
}

/** What happened, as a link to what it happened to. */
function Summary({ of: row }: { of: Item<'listAudit'> }) {
  const to = auditLink(row)
  const summary = <Names>{row.summary}</Names>
  return to === undefined ? summary : <TextLink {...to}>{summary}</TextLink>
}

/** All entries that match the filters, from all pages. */
async function wholeTable(query: ReturnType<typeof queryOf>): Promise<string> {
  const pages: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await queryClient.fetchQuery(queries.auditTable({ ...query, ...(cursor !== undefined && { cursor }) }))
    pages.push(page.text)
    cursor = page.nextCursor
    if (cursor === undefined) return joinTables(pages)
  }
}

function Filter({
  label,
  value = '',
  type = 'text',
  onChange,
}: {
  label: string
  value?: string | undefined
  type?: 'text' | 'date'
  onChange: (text: string) => void
}) {
  return (
    <TextInput
      label={label}
      type={type}
      value={value}
      flex="1 1 140px"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Days of the person's time zone, as times. Invalid days are omitted. */
function queryOf({ since, until, ...texts }: Filters) {
  const at = (time: number): string | undefined => (Number.isNaN(time) ? undefined : new Date(time).toISOString())
  const [from, to] = [at(startOfDay(since ?? '')), at(startOfDay(until ?? '', 1) - 1)]
  return { ...texts, ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) }
}
