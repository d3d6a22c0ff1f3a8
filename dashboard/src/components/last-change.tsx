import { Button } from '@mantine/core'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { keys } from '../api/queries.ts'
import { queryClient, renew } from '../api/query-client.ts'
import { Failure } from '../ui/feedback.tsx'
import { randomKey } from '../util/random-key.ts'
import { LiveStatus } from './live-status.tsx'
import { keepWarnings } from './warning-list.tsx'

/** A change of a zone that was made in this tab. */
interface LastChange {
  readonly version: number
  readonly serial: number
  readonly isUndo?: boolean
}

/** Stores the change that was made last, for `LastChangeStatus`. Signing out deletes it. */
export function keepLastChange(zone: string, { version, serial }: LastChange, isUndo = false): void {
  queryClient.setQueryData<LastChange>(keys.lastChange(zone), { version, serial, isUndo })
}

/** Where the last change of this tab is served, and a button that undoes it. */
export function LastChangeStatus({ zone }: { zone: string }) {
  const { data: last } = useQuery<LastChange>({ queryKey: keys.lastChange(zone), queryFn: skipToken })
  if (last === undefined) return null
  return <Status key={last.version} zone={zone} last={last} />
}

function Status({ zone, last: { version, serial, isUndo = false } }: { zone: string; last: LastChange }) {
  const [isOutdated, setOutdated] = useState(false)
  // A repeat after a lost response gets the first response, and is not refused because of its own version.
  const [key] = useState(randomKey)
  const undo = useMutation({
    mutationFn: () =>
      call('restoreVersion', {
        params: { zone, version: version - 1 },
        query: {},
        headers: { 'if-match': `"${version}"`, 'idempotency-key': key },
      }),
    onSuccess: async (result) => {
      await renew(keys.zone(zone), keys.zones)
      keepWarnings(zone, result.warnings)
      if ('version' in result) keepLastChange(zone, result, true)
    },
    onError: (error) => setOutdated(failedWith(error, 'precondition_failed')),
  })
  return (
    <>
      <LiveStatus
        zone={zone}
        serial={serial}
        done={isUndo ? 'Undone' : 'Saved'}
        action={
          !isUndo &&
          !isOutdated && (
            <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
              Undo
            </Button>
          )
        }
      />
      {isOutdated ? (
        <Failure error={undo.error} title="Someone else has changed this zone since then" />
      ) : (
        <Failure error={undo.error} />
      )}
    </>
  )
}
