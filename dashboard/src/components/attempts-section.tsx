import { Button, SegmentedControl, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { WireAttemptCount } from '@zonewright/contract'
import { useEffect, useState } from 'react'
import { webhookQueries } from '../api/webhook-queries.ts'
import { Loaded } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { VirtualTableRows } from '../ui/virtual-rows.tsx'
import { WideTable } from '../ui/wide-table.tsx'
import { type ChartPeriod, chartPeriodOf, chartPeriods, countsInWords } from '../util/attempt-counts.ts'
import { exactly } from '../util/time.ts'

type Charts = typeof import('./attempt-charts.tsx')['default']

/** As often as the service adds to the counts. A hint about a delivery arrives before that. */
const refreshMs = 5_000

/** The requests to an endpoint over time: in one sentence, in charts, and on request in a table. */
export function AttemptsSection({ endpointId }: { endpointId: string }) {
  const filters = useSearch({ from: '/signed-in/webhooks/$id' })
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const period = chartPeriodOf(filters.chart)
  const counts = useQuery({
    ...webhookQueries.attemptCounts(endpointId, chartPeriods[period].hours),
    refetchInterval: refreshMs,
  })
  const show = (next: string): void => {
    const { chart: _, ...others } = filters
    void navigate({ search: next === 'day' ? others : { ...others, chart: next }, replace: true, resetScroll: false })
  }
  return (
    <Section
      title="Requests per hour"
      lead="New requests appear after a few seconds."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={Object.entries(chartPeriods).map(([value, { label }]) => ({ value, label }))}
          value={period}
          onChange={show}
        />
      }
    >
      <Loaded of={counts}>{({ data }) => <Counts counts={data} period={period} />}</Loaded>
    </Section>
  )
}

function Counts({ counts, period }: { counts: readonly WireAttemptCount[]; period: ChartPeriod }) {
  const words = countsInWords(counts, period)
  const some = counts.some(({ succeeded, failed }) => succeeded + failed > 0)
  return (
    <>
      <Text size="sm" className="quiet">
        {words}
      </Text>
      {some && <ChartsOrTable counts={counts} label={words} />}
    </>
  )
}

function ChartsOrTable({ counts, label }: { counts: readonly WireAttemptCount[]; label: string }) {
  const [isTable, setTable] = useState(false)
  const Charts = useCharts()
  const table = <CountsTable counts={counts.filter(({ succeeded, failed }) => succeeded + failed > 0).toReversed()} />
  if (Charts === null)
    return (
      <>
        <Text size="sm">The charts could not be loaded. The table has the same numbers.</Text>
        {table}
      </>
    )
  return (
    <>
      {isTable ? table : Charts ? <Charts counts={counts} label={label} /> : <div className="chart-place" />}
      <div>
        <Button size="xs" variant="default" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as charts' : 'Show as a table'}
        </Button>
      </div>
    </>
  )
}

/**
 * The charts; undefined: they are being loaded; null: they cannot be loaded. Only pages with charts load them. The chart library throws while
 * it is loaded if the language tag of the browser is invalid.
 */
function useCharts(): Charts | null | undefined {
  const [charts, setCharts] = useState<Charts | null>()
  useEffect(() => {
    import('./attempt-charts.tsx').then(
      ({ default: loaded }) => setCharts(() => loaded),
      () => setCharts(null),
    )
  }, [])
  return charts
}

function CountsTable({ counts }: { counts: readonly WireAttemptCount[] }) {
  return (
    <WideTable label="Requests per hour" minWidth={480} rowCount={counts.length + 1}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Hour from</Table.Th>
          <Table.Th className="number">Delivered</Table.Th>
          <Table.Th className="number">Failed</Table.Th>
          <Table.Th className="number">Average</Table.Th>
          <Table.Th className="number">Slowest</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <VirtualTableRows items={counts} keyOf={({ at }) => at}>
        {({ at, succeeded, failed, average_ms: average, slowest_ms: slowest }) => (
          <>
            <Table.Td>{exactly(at)}</Table.Td>
            <Table.Td className="number">{succeeded.toLocaleString('en')}</Table.Td>
            <Table.Td className="number">{failed.toLocaleString('en')}</Table.Td>
            <Table.Td className="number">{average} ms</Table.Td>
            <Table.Td className="number">{slowest} ms</Table.Td>
          </>
        )}
      </VirtualTableRows>
    </WideTable>
  )
}
