import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../api/client.ts'
import { ZoneNameNote } from '../components/name-note.tsx'
import { Failure } from '../ui/feedback.tsx'
import { domainOf } from '../util/typed-host.ts'
import { useAdded } from './use-added.ts'

/** Adds a zone for a domain that was registered anywhere. */
export function OwnDomainForm({ autoFocus = false }: { autoFocus?: boolean }) {
  const [name, setName] = useState('')
  const onAdded = useAdded()
  const noteId = useId()
  const add = useMutation({
    mutationFn: () => call('createZone', { body: { name: domainOf(name) } }),
    onSuccess: onAdded,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <div className="inline-form">
        <TextInput
          label="Domain"
          placeholder="example.com"
          required
          withAsterisk={false}
          value={name}
          autoFocus={autoFocus}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={noteId}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => setName(domainOf(name))}
        />
        <Button type="submit" loading={add.isPending}>
          Add the domain
        </Button>
      </div>
      <ZoneNameNote typed={name} id={noteId} />
      <Failure error={add.error} />
    </form>
  )
}
