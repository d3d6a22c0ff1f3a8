import { Alert, Button, Checkbox, Group, MultiSelect, Stack, Text, Textarea } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useState } from 'react'
import type { Item } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { OfferRow } from '../components/offer-row.tsx'
import { OfferNote } from '../forms/find-name-form.tsx'
import { Empty, Failure, Loaded, Waiting } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { nameInput } from '../ui/name-input.ts'
import { Page, Section } from '../ui/page.tsx'
import { naira } from '../util/money.ts'
import { paths } from '../util/paths.ts'
import { suggestedNames } from '../util/suggested-names.ts'
import { callsFor, mostNames, wantedWordsOf } from '../util/wanted-names.ts'

/** Looks up many names under many TLDs at once. The search is part of the URL. */
export function BuyPage() {
  const { q = '', tlds = '' } = useSearch({ from: '/signed-in/buy' })
  const sold = useQuery(queries.tlds())
  const wanted = useMemo(() => wantedWordsOf(tlds), [tlds])
  return (
    <Page
      title="Buy a domain"
      lead="Search for one or more names. To transfer a domain from another registrar, search for it, too."
      actions={
        <ButtonLink {...paths.contacts()} variant="default">
          Contacts
        </ButtonLink>
      }
    >
      <Loaded of={sold} what="Loading prices">
        {({ items }) => {
          const known = items.map(({ tld }) => tld)
          const chosen = wanted.filter((tld) => known.includes(tld))
          return (
            <>
              <SearchForm q={q} tlds={chosen} known={known} />
              {q === '' ? (
                <Prices tlds={items} />
              ) : (
                <>
                  <Suggestions q={q} tlds={chosen.length === 0 ? known : chosen} />
                  <Offers q={q} tlds={chosen.length === 0 ? known : chosen} />
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function SearchForm({ q, tlds, known }: { q: string; tlds: readonly string[]; known: readonly string[] }) {
  const [text, setText] = useState(q)
  const navigate = useNavigate()
  const noteId = useId()
  // Back, forward or a link has opened another search.
  useEffect(() => setText(q), [q])
  const look = (wanted: { text?: string; tlds?: readonly string[] }): void => {
    const given = wanted.text ?? text
    // A list stays a list: only the words of one name lead to suggestions.
    const words = wantedWordsOf(given).join(/[,;|\n]/.test(given.trim()) ? ', ' : ' ')
    const endings = (wanted.tlds ?? tlds).join(' ')
    void navigate(paths.buy({ ...(words !== '' && { q: words }), ...(endings !== '' && { tlds: endings }) }))
  }
  return (
    <form
      aria-label="Search for names"
      onSubmit={(event) => {
        event.preventDefault()
        look({})
      }}
    >
      <Group align="flex-start" gap="sm">
        <Textarea
          label="Names"
          placeholder="my-shop, another-name.test"
          autosize
          minRows={1}
          maxRows={6}
          flex="3 1 280px"
          value={text}
          {...nameInput}
          aria-describedby={noteId}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            look({})
          }}
        />
        <Group align="flex-end" gap="sm" flex="1 1 276px" wrap="nowrap">
          <MultiSelect
            label="TLDs"
            placeholder={tlds.length === 0 ? 'All' : ''}
            data={[...known]}
            value={[...tlds]}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'All TLDs' }}
            flex="1 1 180px"
            onChange={(chosen) => look({ tlds: chosen })}
          />
          <Button type="submit" disabled={wantedWordsOf(text).length === 0} flex="none">
            Search
          </Button>
        </Group>
      </Group>
      {text !== q && <OfferNote typed={text} id={noteId} />}
    </form>
  )
}

function Offers({ q, tlds }: { q: string; tlds: readonly string[] }) {
  const { calls, beyond } = useMemo(() => callsFor(wantedWordsOf(q), tlds), [q, tlds])
  const answers = useQueries({ queries: calls.map((names) => queries.checkedNames(names)) })
  const [onlyFree, setOnlyFree] = useState(false)
  const found = answers.flatMap(({ data }) => data?.data ?? [])
  const free = found.filter(({ available }) => available)
  const shown = onlyFree ? free : found
  const isWaiting = answers.some(({ isPending }) => isPending)
  const failed = answers.find(({ error }) => error !== null)
  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={28}>
        <Text size="sm" className="quiet" role="status">
          {isWaiting ? 'Asking the registries…' : `${free.length} of ${found.length} available`}
        </Text>
        {found.length > 1 && (
          <Checkbox
            label="Only available names"
            checked={onlyFree}
            onChange={(event) => setOnlyFree(event.currentTarget.checked)}
          />
        )}
      </Group>
      {beyond > 0 && (
        <Alert color="orange" variant="light" title={`Only the first ${mostNames} are looked up`}>
          {beyond} more are too many for one search. Search for them separately, or under fewer TLDs.
        </Alert>
      )}
      {failed && (
        <Failure
          error={failed.error}
          retry={() => {
            for (const answer of answers) if (answer.isError) void answer.refetch()
          }}
        />
      )}
      {isWaiting && found.length === 0 && <Waiting what="Asking the registries" />}
      {shown.length > 0 && (
        <ul className="offers card" aria-label="What was found">
          {shown.map((offer) => (
            <OfferRow key={offer.name} offer={offer} />
          ))}
        </ul>
      )}
      {!isWaiting && found.length > 0 && shown.length === 0 && (
        <Empty
          icon="search"
          title="None of these names is available"
          action={
            <Button variant="default" onClick={() => setOnlyFree(false)}>
              Show all names
            </Button>
          }
        >
          Try a longer name or another TLD.
        </Empty>
      )}
    </Stack>
  )
}

/** The maximum number of suggestions. */
const mostSuggested = 6

/** Available names that are built from the words of the search. Nothing is shown until the registries have answered, or if they have none. */
function Suggestions({ q, tlds }: { q: string; tlds: readonly string[] }) {
  const names = useMemo(() => suggestedNames(q, tlds), [q, tlds])
  const { data } = useQuery({ ...queries.checkedNames(names), enabled: names.length > 0 })
  const free = data?.data.filter(({ available }) => available).slice(0, mostSuggested) ?? []
  if (free.length === 0) return null
  return (
    <section aria-label="Suggestions">
      <Text size="sm" className="quiet" mb={6}>
        Suggestions for “{q}”
      </Text>
      <ul className="offers card" aria-label="Suggested names">
        {free.map((offer) => (
          <OfferRow key={offer.name} offer={offer} />
        ))}
      </ul>
    </section>
  )
}

/** The available TLDs, while there is no search. */
function Prices({ tlds }: { tlds: readonly Item<'listTlds'>[] }) {
  const most = 12
  return (
    <Section title="Prices per year" lead="Prices include all taxes. A transfer adds one year.">
      <ul className="prices" aria-label="Prices">
        {tlds.slice(0, most).map((tld) => (
          <li key={tld.tld}>
            <Text fw={600} className="mono">
              .{tld.tld}
            </Text>
            <Text>{naira(tld.register_kobo)}</Text>
            <Text size="sm" className="quiet">
              renewal {naira(tld.renew_kobo)}
              <br />
              transfer {naira(tld.transfer_kobo)}
            </Text>
          </li>
        ))}
      </ul>
      {tlds.length > most && (
        <Text size="sm" className="quiet">
          and {tlds.length - most} more. Choose them from the TLDs above.
        </Text>
      )}
    </Section>
  )
}
