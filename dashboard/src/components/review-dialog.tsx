import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { maxChangesPerRequest } from '@zonewright/contract'
import { useEffect, useMemo, useState } from 'react'
import type { Answer } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import type { Listing } from '../api/pages.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { type Edits, mergeEdits, type Rrset, withoutSaved } from '../util/edits.ts'
import { DiffView } from './diff-view.tsx'
import { MergePanel } from './merge-panel.tsx'
import { sendEdits, showSaved } from './save-edits.ts'
import { WarningList } from './warning-list.tsx'

/**
 * Shows everything that will change, as the server judges it, and then saves it as one change. If the zone has changed in the meantime, the two
 * changes are merged, and the person sees the result.
 */
export function ReviewDialog({
  zone,
  name,
  edits,
  listing,
  onEdits,
  onClose,
  onSaved,
}: {
  /** The zone as API calls name it. */
  zone: string
  name: string
  edits: Edits
  /** The zone as it was last read, and its version: the edits are compared with it, and If-Match names the version. */
  listing: Listing<Rrset>
  onEdits: (change: (edits: Edits) => Edits) => void
  onClose: () => void
  onSaved: () => void
}) {
  const [hasMoved, setMoved] = useState(false)
  const save = useMutation({
    mutationFn: ({ sent, version }: { sent: Edits; version: number | undefined }) =>
      sendEdits(zone, sent, version, false),
    onSuccess: async (result, { sent }) => {
      onSaved()
      // A person who left with the browser's back button may have made further edits since then.
      onEdits((edits) => withoutSaved(edits, sent))
      await showSaved(zone, result, sent)
    },
  })
  // The list may contain the saved changes before the response to the save arrives.
  const { items, version } = useHeld(listing, save.isPending)
  const merge = useMemo(() => mergeEdits(edits, items), [edits, items])
  const isMerging = merge.kept.size < edits.size
  const isTooMany = edits.size > maxChangesPerRequest
  const preview = useQuery({
    queryKey: [...keys.zone(zone), 'preview', version, [...edits.values()]],
    queryFn: () => sendEdits(zone, edits, version, true),
    // Once the change is saved, the version is an old one, and a preview of the change would be refused.
    enabled: edits.size > 0 && !isTooMany && !isMerging && !save.isPending,
    // The preview is for this version, and is not repeated after a save has failed: the person saves again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const reading = useQuery(queries.rrsets(zone))
  const isStale = failedWith(preview.error, 'precondition_failed') || failedWith(save.error, 'precondition_failed')
  useEffect(() => {
    if (!isStale) return
    setMoved(true)
    save.reset()
    // The shown data is refreshed. It then has another version, and the edits are compared with the new data.
    void renew(queries.rrsets(zone).queryKey)
  }, [isStale, save.reset, zone])
  return (
    <Dialog onClose={onClose} title="Review the changes" size="lg" hasFields={isMerging} isBusy={save.isPending}>
      {edits.size === 0 ? (
        <Stack>
          <Text>Nothing is left to save. The records are already as you want them.</Text>
          <DialogButtons>
            <Button onClick={onClose}>Close</Button>
          </DialogButtons>
        </Stack>
      ) : isTooMany ? (
        <Stack>
          <Alert
            color="orange"
            variant="light"
            title={`At most ${maxChangesPerRequest.toLocaleString('en')} record sets change at once`}
          >
            Undo some of them and save the rest first, or import them as a zone file.
          </Alert>
          <BackButton onClick={onClose} />
        </Stack>
      ) : isMerging ? (
        <MergePanel
          key={version}
          zone={name}
          merge={merge}
          onMerged={(merged) => onEdits(() => merged)}
          onBack={onClose}
        />
      ) : isStale ? (
        <Stack>
          <ReadingAgain reading={reading} />
          <BackButton onClick={onClose} />
        </Stack>
      ) : (
        <Stack>
          {hasMoved && (
            <Alert color="orange" variant="light" title="Someone else has changed this zone">
              Your changes were compared with what is there now. This is what they would do.
            </Alert>
          )}
          {preview.isPending && <Waiting what="Asking the server" />}
          {!save.error && <Failure error={preview.error} retry={() => void preview.refetch()} />}
          {preview.data && <PreviewOf result={preview.data} zone={name} edits={edits} />}
          <Failure error={save.error} />
          <DialogButtons>
            <Button variant="default" disabled={save.isPending} onClick={onClose}>
              Back
            </Button>
            <MainButton
              disabled={!preview.data}
              loading={save.isPending}
              onClick={() => save.mutate({ sent: edits, version })}
              data-autofocus
            >
              {edits.size === 1 ? 'Save the change' : `Save all ${edits.size} changes`}
            </MainButton>
          </DialogButtons>
        </Stack>
      )}
    </Dialog>
  )
}

function BackButton({ onClick }: { onClick: () => void }) {
  return (
    <DialogButtons>
      <Button variant="default" onClick={onClick}>
        Back
      </Button>
    </DialogButtons>
  )
}

/** A value, or while it is held, the last one before that. */
function useHeld<T>(value: T, isHeld: boolean): T {
  const [kept, keep] = useState(value)
  if (!isHeld && kept !== value) keep(value)
  return isHeld ? kept : value
}

function ReadingAgain({ reading }: { reading: { error: unknown; isFetching: boolean; refetch: () => unknown } }) {
  if (reading.error && !reading.isFetching)
    return <Failure error={reading.error} retry={() => void reading.refetch()} />
  return <Waiting what="Loading the current records" />
}

function PreviewOf({ result, zone, edits }: { result: Answer<'changeRrsets'>; zone: string; edits: Edits }) {
  const described = [...edits.values()].filter(({ notes }) => notes !== undefined).length
  const { changes } = result.diff
  return (
    <>
      <WarningList warnings={result.warnings} title="Check this before you save" />
      {(changes.length > 0 || described === 0) && <DiffView changes={changes} zone={zone} />}
      {described > 0 && (
        <Text size="sm">
          {described === 1
            ? 'The comment or the labels of 1 record set change.'
            : `The comments or the labels of ${described.toLocaleString('en')} record sets change.`}
        </Text>
      )}
    </>
  )
}
