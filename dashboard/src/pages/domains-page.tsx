import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { queries } from '../api/queries.ts'
import { DocsLink } from '../components/docs-link.tsx'
import { DomainRows } from '../components/domain-rows.tsx'
import { DomainInvitations } from '../components/invitation-notes.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { FilterBox } from '../ui/filter-box.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'

const roles = [
  { value: 'all', label: 'All' },
  { value: 'owner', label: 'Mine' },
  { value: 'manager', label: 'Shared with me' },
]

/** The domains that are registered here. */
export function DomainsPage() {
  const { q = '', role = 'all' } = useSearch({ from: '/signed-in/domains' })
  const navigate = useNavigate({ from: '/domains' })
  const set = (change: { q?: string; role?: string }): void => {
    const next = Object.entries({ q, role, ...change }).filter(([, value]) => value !== '' && value !== 'all')
    void navigate({ search: Object.fromEntries(next), replace: true, resetScroll: false })
  }
  const domains = useQuery(queries.domains())
  const wanted = useDeferredValue(q.trim().toLowerCase())
  const shown = useMemo(
    () =>
      (domains.data?.items ?? []).filter(
        (domain) =>
          (domain.name.includes(wanted) || domain.unicode_name.includes(wanted)) &&
          (role === 'all' || domain.role === role),
      ),
    [domains.data, wanted, role],
  )
  return (
    <Page
      title="Domains"
      lead="Registered here. What they answer is in their zones."
      actions={<ButtonLink {...paths.buy()}>Buy a domain</ButtonLink>}
    >
      <DomainInvitations />
      <Loaded of={domains} what="Loading your domains">
        {({ items, isWhole }) =>
          items.length === 0 ? (
            <Empty
              icon="domain"
              title="No domains yet"
              action={<ButtonLink {...paths.buy()}>Look for a name</ButtonLink>}
            >
              Register a name here, or bring one from another registrar. Domains from elsewhere can stay there: add
              their zone. <DocsLink page="quick-start">Read the quick start</DocsLink>
            </Empty>
          ) : (
            <>
              <Group gap="sm">
                <FilterBox label="Filter domains" value={q} onChange={(text) => set({ q: text })} />
                <SegmentedControl
                  aria-label="Role"
                  data={roles}
                  value={role}
                  onChange={(value) => set({ role: value })}
                />
              </Group>
              <Text size="sm" className="quiet" role="status">
                {shown.length === items.length ? '' : `${shown.length.toLocaleString('en')} of `}
                {items.length === 1 ? '1 domain' : `${items.length.toLocaleString('en')} domains`}
                {!isWhole && ' — loading more…'}
              </Text>
              {shown.length === 0 && isWhole ? (
                <Empty
                  icon="domain"
                  title="No domain matches"
                  action={
                    <Button variant="default" onClick={() => set({ q: '', role: 'all' })}>
                      Show all
                    </Button>
                  }
                >
                  Nothing here has “{q}” in its name, in this role.
                </Empty>
              ) : (
                <DomainRows domains={shown} />
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
