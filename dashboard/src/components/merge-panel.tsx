import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DialogButtons } from '../ui/dialog.tsx'
import { shownOwner } from '../util/check-rrset.ts'
import { type Conflict, type Edits, keyOf, type Merge, type Side, settle } from '../util/edits.ts'
import { DiffView } from './diff-view.tsx'

/** The zone has changed since it was read. The person decides about each rrset that both sides changed. */
export function MergePanel({
  zone,
  merge,
  onMerged,
  onBack,
}: {
  zone: string
  merge: Merge
  onMerged: (edits: Edits) => void
  onBack: () => void
}) {
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
      <Text>{saysOf(merge)}</Text>
      {merge.conflicts.map((conflict) => {
        const { edit, theirs, both } = conflict
        const key = keyOf(edit)
        return (
          <Stack key={key} gap="xs" className="card" p="sm" role="group" aria-label={key}>
            <Text fw={600} className="mono">
              {shownOwner(edit.name, zone)} {edit.type}
            </Text>
            <Text size="sm">Their change:</Text>
            <DiffView changes={[{ ...edit, before: edit.before, after: theirs }]} zone={zone} />
            <Text size="sm">Your change:</Text>
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
      <DialogButtons>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button disabled={chosen.size < merge.conflicts.length} onClick={goOn}>
          Continue
        </Button>
      </DialogButtons>
    </Stack>
  )
}

/** A wanted change that already exists may be this person's own: the response was lost, or another tab made it. */
function saysOf({ kept, conflicts, done }: Merge): string {
  if (kept.size === 0 && conflicts.length === 0)
    return 'The records are already as you want them. There is nothing to save.'
  const already = done === 0 ? '' : ` ${done} of them ${done === 1 ? 'is' : 'are'} already in the zone.`
  return `Someone else has changed this zone since you opened it. Your changes are kept.${already}`
}

function Choice({ isChosen, onClick, children }: { isChosen: boolean; onClick: () => void; children: string }) {
  return (
    <Button size="xs" variant={isChosen ? 'filled' : 'default'} aria-pressed={isChosen} onClick={onClick}>
      {children}
    </Button>
  )
}
