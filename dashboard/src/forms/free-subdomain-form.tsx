import { Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { useRequestKey } from '../components/use-request-key.ts'
import { Failure } from '../ui/feedback.tsx'
import { FieldNote, type Note } from '../ui/field-note.tsx'
import { nameInput } from '../ui/name-input.ts'
import { OneLineForm } from '../ui/one-line-form.tsx'
import { hostIn } from '../util/typed-host.ts'
import { useAdded } from './use-added.ts'

const typingPauseMs = 200
/** A name that no one has, used to find the parent domains of free subdomains. */
const anyName = 'a.invalid'

/** The domains below which names can be claimed; undefined while they are loading. */
export function useFreeParents(): {
  readonly parents: readonly string[] | undefined
  readonly error: unknown
  readonly retry: () => void
} {
  const { data, error, refetch } = useQuery(queries.availability(anyName))
  return { parents: data?.parents, error, retry: () => void refetch() }
}

/** The name that a person typed: also if it was typed with its parent, or as a URL. */
function labelOf(text: string, parent: string): string {
  const host = hostIn(text).toLowerCase()
  return host.endsWith(`.${parent}`) ? host.slice(0, -parent.length - 1) : host
}

/** Claims a free subdomain, and shows whether it is available while the person types. */
export function FreeSubdomainForm({ parents }: { parents: readonly string[] }) {
  const [text, setText] = useState('')
  const [parent, setParent] = useState(parents[0] ?? '')
  const label = labelOf(text, parent)
  const [typed] = useDebouncedValue(label, typingPauseMs)
  const noteId = useId()
  const name = `${label}.${parent}`
  const found = useQuery({ ...queries.availability(`${typed}.${parent}`), enabled: typed !== '' && parent !== '' })
  const onAdded = useAdded()
  const requestKey = useRequestKey()
  const claim = useMutation({
    mutationFn: () => call('claimSubdomain', { body: { name }, headers: requestKey.headersFor({ name }) }),
    onSuccess: onAdded,
  })
  const answer = typed === label && typed !== '' ? found.data : undefined
  const below = (
    <>
      <FieldNote id={noteId} isChecking={found.isFetching && typed !== ''} note={answer && noteOf(answer)} />
      <Failure error={claim.error ?? found.error} {...(!claim.error && { retry: () => void found.refetch() })} />
    </>
  )
  return (
    <OneLineForm
      button="Claim it"
      loading={claim.isPending}
      disabled={!answer?.available}
      onSend={() => claim.mutate()}
      below={below}
    >
      <TextInput
        label="Name"
        placeholder="alice"
        value={text}
        {...nameInput}
        aria-describedby={noteId}
        rightSection={
          parents.length === 1 ? (
            <Text size="sm" className="quiet cut">
              .{parent}
            </Text>
          ) : undefined
        }
        {...(parents.length === 1 && { rightSectionWidth: Math.min(parent.length * 8 + 24, 180) })}
        rightSectionPointerEvents="none"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {parents.length > 1 && (
        <Select
          label="Below"
          data={parents.map((one) => ({ value: one, label: `.${one}` }))}
          value={parent}
          allowDeselect={false}
          onChange={(value) => setParent(value ?? parent)}
        />
      )}
    </OneLineForm>
  )
}

function noteOf({ name, available, message }: Answer<'freeSubdomainAvailability'>): Note {
  if (available) return { tone: 'good', text: `${name} is available` }
  return { tone: 'bad', text: message ?? 'That name cannot be claimed.' }
}
