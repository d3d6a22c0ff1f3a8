import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../api/client.ts'
import { ZoneNameNote } from '../components/name-note.tsx'
import { useRequestKey } from '../components/use-request-key.ts'
import { Failure } from '../ui/feedback.tsx'
import { nameInput } from '../ui/name-input.ts'
import { OneLineForm } from '../ui/one-line-form.tsx'
import { domainOf } from '../util/typed-host.ts'
import { useAdded } from './use-added.ts'

/** Adds a zone for a domain that was registered anywhere. */
export function OwnDomainForm({ autoFocus = false }: { autoFocus?: boolean }) {
  const [name, setName] = useState('')
  const onAdded = useAdded()
  const noteId = useId()
  const requestKey = useRequestKey()
  const add = useMutation({
    mutationFn: () => {
      const body = { name: domainOf(name) }
      return call('createZone', { body, headers: requestKey.headersFor(body) })
    },
    onSuccess: onAdded,
  })
  const below = (
    <>
      <ZoneNameNote typed={name} id={noteId} />
      <Failure error={add.error} />
    </>
  )
  return (
    <OneLineForm
      button="Add the domain"
      loading={add.isPending}
      disabled={domainOf(name) === ''}
      onSend={() => add.mutate()}
      below={below}
    >
      <TextInput
        label="Domain"
        placeholder="example.com"
        required
        withAsterisk={false}
        value={name}
        autoFocus={autoFocus}
        {...nameInput}
        aria-describedby={noteId}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => setName(domainOf(name))}
      />
    </OneLineForm>
  )
}
