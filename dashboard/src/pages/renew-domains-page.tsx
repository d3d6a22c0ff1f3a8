import { Alert, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WireDomain, WireQuote } from '@zonewright/contract'
import { useEffect, useMemo, useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { BatchProgress } from '../components/batch-progress.tsx'
import { PriceLines } from '../components/price-lines.tsx'
import { attempted, useBatch } from '../components/use-batch.ts'
import { selectedAt, selectOnly } from '../components/use-selection.ts'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { useArrival } from '../ui/use-arrival.ts'
import { VirtualRows } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { Batch, countsOf, type ItemState } from '../util/batch.ts'
import { naira } from '../util/money.ts'
import { yearsText } from '../util/order-words.ts'
import { paths } from '../util/paths.ts'
import { randomKey } from '../util/random-key.ts'
import { type Bill, billOf } from '../util/renewal-bill.ts'

const mostYears = 10

/** Renews the domains that are selected in the list: one total to review, and an order for each domain. */
export function RenewDomainsPage() {
  const domains = useQuery(queries.domains())
  const [names] = useState(() => new Set(selectedAt('domains')))
  return (
    <Page title="Renew domains" within={<TextLink {...paths.domains()}>Domains</TextLink>}>
      <Loaded of={domains} what="Loading your domains">
        {({ items, isWhole }) => {
          const wanted = items.filter(({ name, status }) => names.has(name) && status !== 'transferring_in')
          if (wanted.length === 0 && isWhole)
            return (
              <Empty
                icon="domain"
                title="No domain is selected"
                action={<ButtonLink {...paths.domains()}>Select domains</ButtonLink>}
              >
                Select domains in the list, and choose “Renew” there.
              </Empty>
            )
          return isWhole ? <Renewal domains={wanted} /> : null
        }}
      </Loaded>
    </Page>
  )
}

function Renewal({ domains: loaded }: { domains: readonly WireDomain[] }) {
  // Renewed domains stay on the page as they were, with their outcome.
  const [domains] = useState(loaded)
  const [years, setYears] = useState(1)
  const [useCredit, setUseCredit] = useState(true)
  const credit = useQuery(queries.credit())
  const quoted = useQuotes(domains, years)
  const orders = useBatch<Bill>()
  const [placed, setPlaced] = useState<ReadonlyMap<string, Answer<'createOrder'>>>(new Map())
  const available = credit.data?.available_kobo ?? 0
  const { bills, totalKobo, creditKobo } = useMemo(
    () => billOf(quoted.quotes, useCredit ? available : 0),
    [quoted.quotes, useCredit, available],
  )
  const order = (): void => {
    const key = randomKey()
    const next = new Batch(bills, ({ quote, dueKobo, creditKobo: byCredit }, i) =>
      attempted(async () => {
        const body = { quote_id: quote.id, use_credit: byCredit > 0, expected_due_kobo: dueKobo }
        const made = await call('createOrder', { body, headers: { 'idempotency-key': `${key}-${i}` } })
        setPlaced((before) => new Map(before).set(quote.name, made))
        // It is not renewed again if the page is reopened.
        selectOnly('domains', (name) => name !== quote.name)
      }),
    )
    const stop = next.listen(() => {
      if (next.view().isRunning) return
      stop()
      void renew(keys.orders, keys.credit, keys.domains)
    })
    orders.begin(next)
  }
  const stateOf = (name: string): ItemState | undefined => {
    const i = orders.batch?.items.findIndex(({ quote }) => quote.name === name) ?? -1
    return orders.view?.states[i]
  }
  const isOrdered = orders.view !== undefined
  const counts = countsOf(orders.view?.states ?? [])
  const unpaid = [...placed.values()].filter(({ due_kobo: due }) => due > 0)
  const bill = useArrival<HTMLDivElement>(isOrdered ? counts.waiting === 0 : undefined)
  const isReady = quoted.isDone && credit.data !== undefined && bills.length > 0
  return (
    <form
      className="order-columns"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isOrdered) order()
      }}
    >
      <VirtualRows
        items={domains}
        label="Domains to renew"
        heightOf={() => 41}
        keyOf={({ name }) => name}
        head={
          <div role="row" className="row row-head renewal-row">
            <span role="columnheader">Domain</span>
            <span role="columnheader" className="wide-only">
              Expires
            </span>
            <span role="columnheader" className="number">
              Price
            </span>
          </div>
        }
        row={({ name, unicode_name: shown, expires_at: at }, place) => (
          <div role="row" key={name} className="row renewal-row" {...place}>
            <div role="cell" className="cut">
              <Name>{shown}</Name>
            </div>
            <div role="cell" className="wide-only">
              {at === null ? '–' : <When at={at} />}
            </div>
            <div role="cell" className="number">
              <PriceOf quote={quoted.quotes.get(name)} failure={quoted.failures.get(name)} />
              <Outcome state={stateOf(name)} placed={placed.get(name)} />
            </div>
          </div>
        )}
      />
      <Stack className="order-bill card arrival" p="md" ref={bill} tabIndex={-1}>
        <Select
          label="Period"
          data={Array.from({ length: mostYears }, (_, i) => ({ value: String(i + 1), label: yearsText(i + 1) }))}
          value={String(years)}
          allowDeselect={false}
          disabled={isOrdered}
          onChange={(value) => setYears(Number(value ?? '1'))}
        />
        {available > 0 && (
          <Checkbox
            label="Use my credit"
            description={`${naira(available)} is available.`}
            checked={useCredit}
            disabled={isOrdered}
            onChange={(event) => setUseCredit(event.currentTarget.checked)}
          />
        )}
        {!quoted.isDone && quoted.batch !== undefined && quoted.view !== undefined && (
          <BatchProgress of={quoted.batch} view={quoted.view} what="Prices" />
        )}
        <PriceLines
          lines={[
            [`${domainsText(bills.length)}, ${yearsText(years)}`, totalKobo],
            ['Credit', -creditKobo],
          ]}
          total={['Due now', totalKobo - creditKobo]}
        />
        {quoted.failures.size > 0 && (
          <Text size="sm">{domainsText(quoted.failures.size)} cannot be renewed now. The list says why.</Text>
        )}
        {totalKobo > creditKobo && !isOrdered && (
          <Text size="sm" className="quiet">
            Each domain gets its own order. Credit pays first, and a card pays the rest of each order.
          </Text>
        )}
        <Failure error={credit.data === undefined ? credit.error : undefined} retry={() => void credit.refetch()} />
        {!isOrdered && (
          <MainButton type="submit" fullWidth disabled={!isReady}>
            Renew {domainsText(bills.length)}
          </MainButton>
        )}
        {orders.batch !== undefined && orders.view !== undefined && counts.waiting > 0 && (
          <BatchProgress of={orders.batch} view={orders.view} what="Orders" />
        )}
        {isOrdered && counts.waiting === 0 && (
          <Alert
            color={unpaid.length > 0 || counts.failed > 0 ? 'orange' : 'green'}
            variant="light"
            title={`${domainsText(counts.done)} ordered`}
          >
            <Group>
              <Text size="sm">
                {unpaid.length > 0 && `${unpaid.length.toLocaleString('en')} wait for payment. `}
                {counts.failed > 0 && `${counts.failed.toLocaleString('en')} could not be ordered. `}
              </Text>
              <TextLink {...paths.orders()}>Show the orders</TextLink>
            </Group>
          </Alert>
        )}
      </Stack>
    </form>
  )
}

/** The price of each domain, and why some have none. A different period requests the prices again. */
function useQuotes(domains: readonly WireDomain[], years: number) {
  const { batch, view, begin } = useBatch<WireDomain>()
  const [found, setFound] = useState<ReadonlyMap<string, WireQuote>>(new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another period asks again
  useEffect(() => {
    const quotes = new Map<string, WireQuote>()
    setFound(quotes)
    const next = new Batch(domains, ({ name }) =>
      attempted(async () => {
        quotes.set(name, await queryClient.fetchQuery(queries.quote({ kind: 'renew', name, years })))
        setFound(new Map(quotes))
      }),
    )
    begin(next)
    return () => next.pause()
  }, [years])
  const failures = new Map(
    (view?.states ?? []).flatMap((state, i) =>
      state.kind === 'failed' ? [[batch?.items[i]?.name ?? '', state.message] as const] : [],
    ),
  )
  const isDone = view !== undefined && !view.isRunning && countsOf(view.states).waiting === 0
  return { quotes: found, failures, isDone, batch, view }
}

function PriceOf({ quote, failure }: { quote: WireQuote | undefined; failure: string | undefined }) {
  if (failure !== undefined)
    return (
      <Text span size="xs" title={failure}>
        {failure}
      </Text>
    )
  return quote === undefined ? '…' : naira(quote.amount_kobo)
}

function Outcome({ state, placed }: { state: ItemState | undefined; placed: Answer<'createOrder'> | undefined }) {
  if (state?.kind === 'failed')
    return (
      <Text span size="xs" title={state.message} ml={8}>
        {state.message}
      </Text>
    )
  if (placed === undefined) return null
  return (
    <TextLink {...paths.order(placed.id)} size="sm" ml={8}>
      {placed.due_kobo > 0 ? 'Pay' : 'Ordered'}
    </TextLink>
  )
}

function domainsText(count: number): string {
  return count === 1 ? '1 domain' : `${count.toLocaleString('en')} domains`
}
