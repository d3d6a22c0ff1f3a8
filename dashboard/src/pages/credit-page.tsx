import { Group, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { queries } from '../api/queries.ts'
import { SavedCards } from '../components/saved-cards.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { VirtualTableRows } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { WideTable } from '../ui/wide-table.tsx'
import { naira } from '../util/money.ts'
import { paths } from '../util/paths.ts'

/** The reason for an entry of the ledger, in words. */
const kinds: Readonly<Record<string, string>> = {
  credit_granted: 'Credit added',
  credit_used: 'Used for an order',
  credit_returned: 'Returned: the order failed',
  card_credited: 'A card payment that became credit',
  surplus_credited: 'A second card payment that became credit',
}

/** The account's credit, and everything that was added to it or spent from it. */
export function CreditPage() {
  const credit = useQuery(queries.credit())
  const entries = useInfiniteQuery(queries.creditEntries())
  return (
    <Page title="Credit" within={<TextLink {...paths.account()}>Account</TextLink>}>
      <Section
        title="Balance"
        lead="You can pay orders with it, and renewals use it automatically. It does not expire."
      >
        <Loaded of={credit}>
          {({ balance_kobo: balance, reserved_kobo: reserved, available_kobo: available }) => (
            <>
              <div>
                <Text size="sm" className="quiet">
                  Available
                </Text>
                <Text className="amount">{naira(available)}</Text>
              </div>
              {reserved > 0 && (
                <Text size="sm">
                  Your balance is {naira(balance)}. {naira(reserved)} of it is set aside for orders that are not paid
                  yet.
                </Text>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <SavedCards />
      <Title order={2}>History</Title>
      <PagedList
        of={entries}
        empty={
          <Empty icon="order" title="Nothing was added or spent yet">
            You get credit when a paid order fails, or as a gift.
          </Empty>
        }
      >
        {(rows) => (
          <WideTable label="History" minWidth={560} isStacked rowCount={rows.length + 1}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th ta="right">Amount</Table.Th>
                <Table.Th ta="right">Balance</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <VirtualTableRows
              items={rows}
              keyOf={(entry) => `${entry.at} ${entry.kind} ${entry.order_id} ${entry.balance_kobo}`}
            >
              {(entry) => (
                <>
                  <Table.Td className="stacked-left stacked-last">
                    <When at={entry.at} />
                  </Table.Td>
                  <Table.Td className="stacked-left">
                    <Group gap="xs">
                      <Text size="sm">{kinds[entry.kind] ?? entry.kind}</Text>
                      {entry.order_id !== null && (
                        <TextLink size="sm" {...paths.order(entry.order_id)}>
                          View order
                        </TextLink>
                      )}
                    </Group>
                    {entry.note !== '' && (
                      <Text size="sm" className="quiet">
                        {entry.note}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td ta="right" className="stacked-right">
                    {naira(entry.amount_kobo)}
                  </Table.Td>
                  <Table.Td ta="right" className="stacked-right stacked-last" data-label="Balance">
                    {naira(entry.balance_kobo)}
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
