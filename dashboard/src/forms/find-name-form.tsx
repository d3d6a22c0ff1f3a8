import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Answer } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { FieldNote, type Note } from '../ui/field-note.tsx'
import { nameInput } from '../ui/name-input.ts'
import { OneLineForm } from '../ui/one-line-form.tsx'
import { naira } from '../util/money.ts'
import { paths } from '../util/paths.ts'
import { isolated, shownName } from '../util/shown-name.ts'
import { wantedWordsOf } from '../util/wanted-names.ts'

/** Searches for names to buy. */
export function FindNameForm() {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const noteId = useId()
  const words = wantedWordsOf(text)
  return (
    <OneLineForm
      button="Search"
      disabled={words.length === 0}
      onSend={() => {
        if (words.length > 0) void navigate(paths.buy({ q: words.join(' ') }))
      }}
      below={<OfferNote typed={text} id={noteId} />}
    >
      <TextInput
        label="Name"
        placeholder="my-shop"
        value={text}
        {...nameInput}
        aria-describedby={noteId}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </OneLineForm>
  )
}

const typingPauseMs = 500

/** Shows whether the name of a domain is available while a person types it. Only for one complete name, because registries limit queries. */
export function OfferNote({ typed, id }: { typed: string; id: string }) {
  const words = wantedWordsOf(typed)
  const name = words.length === 1 && words[0]?.includes('.') ? words[0] : ''
  const [settled] = useDebouncedValue(name, typingPauseMs)
  const { data, isFetching } = useQuery({ ...queries.checkedNames([settled]), enabled: settled !== '' })
  const found = settled === name && settled !== '' ? data?.data[0] : undefined
  return <FieldNote id={id} isChecking={settled !== '' && isFetching} note={found && noteOf(found)} />
}

function noteOf({ name, available, register_kobo: kobo, message }: Answer<'checkDomains'>['data'][number]): Note {
  const shown = isolated(shownName(name))
  if (!available) return { tone: 'bad', text: message ?? `${shown} is not available.` }
  return { tone: 'good', text: `${shown} is available${kobo === null ? '' : `: ${naira(kobo)} for the first year`}` }
}
