import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Listing } from '../api/pages.ts'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { relativeName } from '../util/check-rrset.ts'
import {
  type Conflict,
  type Edits,
  keyOf,
  type Merge,
  mergeEdits,
  type Rrset,
  type Side,
  settle,
} from '../util/edits.ts'
import { DiffView } from './diff-view.tsx'

/** The zone has changed since it was read: it is read again, and the person decides where both have changed the same. */
export function MergePanel({
  zone,
  edits,
  onMerged,
}: {
  zone: string
  edits: Edits
  onMerged: (edits: Edits) => void
}) {
  const fresh = useQuery({
    queryKey: ['merge', zone, [...edits.keys()]],
    queryFn: async () => {
      const { queryKey } = queries.rrsets(zone)
      await queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
      const listing: Listing<Rrset> = await queryClient.fetchQuery({ ...queries.rrsets(zone), staleTime: 0 })
      return mergeEdits(edits, listing.items)
    },
    staleTime: 0,
    gcTime: 0,
  })
  if (fresh.error) return <Failure error={fresh.error} retry={() => void fresh.refetch()} />
  if (fresh.data === undefined) return <Waiting what="Reading what has changed" />
  return <Decide merge={fresh.data} zone={zone} onMerged={onMerged} />
}

function Decide({ merge, zone, onMerged }: { merge: Merge; zone: string; onMerged: (edits: Edits) => void }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map())
  const choose = (conflict: Conflict, wanted: Side): void =>
    setChosen(new Map([...chosen, [keyOf(conflict.edit), wanted]]))
  const goOn = (): void => {
    const merged = new Map(merge.kept)
    for (const conflict of merge.conflicts) {
      const wanted = chosen.get(keyOf(conflict.edit))
      if (wanted === undefined || wanted === conflict.theirs) continue
      merged.set(keyOf(conflict.edit), settle(conflict, wanted))
    }
    onMerged(merged)
  }
  return (
    <Stack>
      <Text>
        Somebody else has changed this zone since you opened it. Nothing of yours is lost.
        {merge.conflicts.length === 0 && ' Your changes touch nothing that moved: look at them once more and save.'}
        {merge.done > 0 && ` What you wanted is already so in ${merge.done} of them.`}
      </Text>
      {merge.conflicts.map((conflict) => {
        const { edit, theirs, both } = conflict
        const key = keyOf(edit)
        return (
          <Stack key={key} gap="xs" className="card" p="sm" role="group" aria-label={key}>
            <Text fw={600} className="mono">
              {relativeName(edit.name, zone)} {edit.type}
            </Text>
            <Text size="sm">They made it:</Text>
            <DiffView changes={[{ ...edit, before: edit.before, after: theirs }]} zone={zone} />
            <Text size="sm">You want:</Text>
            <DiffView changes={[{ ...edit, before: edit.before, after: edit.after }]} zone={zone} />
            <Group gap="xs">
              {both !== undefined && (
                <Choice isChosen={chosen.get(key) === both} onClick={() => choose(conflict, both)}>
                  Keep both
                </Choice>
              )}
              <Choice isChosen={chosen.get(key) === edit.after} onClick={() => choose(conflict, edit.after)}>
                Keep mine
              </Choice>
              <Choice isChosen={chosen.has(key) && chosen.get(key) === theirs} onClick={() => choose(conflict, theirs)}>
                Keep theirs
              </Choice>
            </Group>
          </Stack>
        )
      })}
      <Group justify="flex-end">
        <Button disabled={chosen.size < merge.conflicts.length} onClick={goOn}>
          Go on
        </Button>
      </Group>
    </Stack>
  )
}

function Choice({ isChosen, onClick, children }: { isChosen: boolean; onClick: () => void; children: string }) {
  return (
    <Button size="xs" variant={isChosen ? 'filled' : 'default'} aria-pressed={isChosen} onClick={onClick}>
      {children}
    </Button>
  )
}
