import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { queries } from '../api/queries.ts'
import { DocsLink } from '../components/docs-link.tsx'
import { DomainBulkBar } from '../components/domain-bulk-bar.tsx'
import { DomainFilters } from '../components/domain-filters.tsx'
import { DomainRows } from '../components/domain-rows.tsx'
import { DomainInvitations } from '../components/invitation-notes.tsx'
import { useSelection } from '../components/use-selection.ts'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { type DomainSearch, domainsAsCsv, shownDomains } from '../util/domain-list.ts'
import { download } from '../util/download.ts'
import { paths } from '../util/paths.ts'

/** The domains that are registered here. */
export function DomainsPage() {
  const search = useSearch({ from: '/signed-in/domains' })
  const navigate = useNavigate({ from: '/domains' })
  const set = (change: DomainSearch): void => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== '')
    void navigate({ search: Object.fromEntries(next), replace: true, resetScroll: false })
  }
  const domains = useQuery(queries.domains())
  const all = domains.data?.items
  const wanted = useDeferredValue(search)
  const shown = useMemo(() => shownDomains(all ?? [], wanted, Date.now()), [all, wanted])
  const selection = useSelection(shown, ({ name }) => name, 'domains')
  const selected = useMemo(
    () => (selection.keys.size === 0 ? [] : (all ?? []).filter(({ name }) => selection.keys.has(name))),
    [all, selection.keys],
  )
  return (
    <Page
      title="Domains"
      lead="Domains that are registered here. Their records are in their zones."
      actions={
        <>
          {all !== undefined && all.length > 0 && (
            <Button
              variant="default"
              disabled={domains.data?.isWhole !== true || shown.length === 0}
              onClick={() => download('domains.csv', 'text/csv', domainsAsCsv(selected.length > 0 ? selected : shown))}
            >
              Export CSV
            </Button>
          )}
          <ButtonLink {...paths.buy()}>Buy a domain</ButtonLink>
        </>
      }
    >
      <DomainInvitations />
      <Loaded of={domains} what="Loading your domains">
        {({ items, isWhole }) =>
          items.length === 0 ? (
            <Empty
              icon="domain"
              title="No domains yet"
              action={<ButtonLink {...paths.buy()}>Search for a domain</ButtonLink>}
            >
              Register a name here, or bring one from another registrar. Domains from elsewhere can stay there: add
              their zone. <DocsLink page="quick-start">Read the quick start</DocsLink>
            </Empty>
          ) : (
            <>
              <DomainFilters search={search} onChange={set} />
              <Text size="sm" className="quiet" role="status">
                {shown.length === items.length ? '' : `${shown.length.toLocaleString('en')} of `}
                {items.length === 1 ? '1 domain' : `${items.length.toLocaleString('en')} domains`}
                {!isWhole && ' — loading more…'}
              </Text>
              {selected.length > 0 && <DomainBulkBar selected={selected} shown={shown.length} selection={selection} />}
              {shown.length === 0 && isWhole ? (
                <Empty
                  icon="domain"
                  title="No domain matches"
                  action={
                    <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                      Show all
                    </Button>
                  }
                >
                  {search.q === undefined
                    ? 'No domain matches these filters.'
                    : `Nothing here has “${search.q}” in its name, with these filters.`}
                </Empty>
              ) : (
                <DomainRows domains={shown} selection={selection} />
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
