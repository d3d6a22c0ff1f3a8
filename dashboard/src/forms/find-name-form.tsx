import { Button, Loader, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { queries } from '../api/queries.ts'
import { Icon } from '../ui/icons.tsx'
import { naira } from '../util/money.ts'
import { paths } from '../util/paths.ts'
import { shownName } from '../util/shown-name.ts'
import { wantedWordsOf } from '../util/wanted-names.ts'

/** Searches for names to buy. */
export function FindNameForm() {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const noteId = useId()
  const words = wantedWordsOf(text)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (words.length > 0) void navigate(paths.buy({ q: words.join(' ') }))
      }}
    >
      <div className="inline-form">
        <TextInput
          label="Name"
          placeholder="my-shop"
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={noteId}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" disabled={words.length === 0}>
          Search
        </Button>
      </div>
      <OfferNote typed={text} id={noteId} />
    </form>
  )
}

const typingPauseMs = 500

/** While a person types the name of a domain: whether it is free. Only for one whole name, because registries limit queries. */
export function OfferNote({ typed, id }: { typed: string; id: string }) {
  const words = wantedWordsOf(typed)
  const name = words.length === 1 && words[0]?.includes('.') ? words[0] : ''
  const [settled] = useDebouncedValue(name, typingPauseMs)
  const { data, isFetching } = useQuery({ ...queries.checkedNames([settled]), enabled: settled !== '' })
  const found = settled === name && settled !== '' ? data?.data[0] : undefined
  return (
    <Text size="sm" id={id} role="status" aria-live="polite" className="field-note">
      {settled !== '' && isFetching && found === undefined && <Loader size="xs" aria-label="Checking the name" />}
      {found?.available && (
        <span className="note-good">
          <Icon name="check" size={14} /> {shownName(found.name)} is free
          {found.register_kobo !== null && `: ${naira(found.register_kobo)} for the first year`}
        </span>
      )}
      {found !== undefined && !found.available && (
        <span className="note-bad">
          <Icon name="warning" size={14} /> {found.message ?? `${shownName(found.name)} is not available.`}
        </span>
      )}
    </Text>
  )
}
