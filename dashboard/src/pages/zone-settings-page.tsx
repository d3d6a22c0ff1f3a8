import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { NotesFields } from '../components/notes-fields.tsx'
import { useEdits } from '../components/use-edits.ts'
import { useLeaveZone } from '../components/use-leave-zone.ts'
import { useZone } from '../components/use-zone.ts'
import { CopyText } from '../ui/copy.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { Name } from '../ui/name.tsx'
import { Section, useTitle } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'
import { recordSetsText, unsavedText } from '../util/edits.ts'
import { may } from '../util/may.ts'
import { labelsFault, type ShownNotes, type WantedNotes, wantedNotes } from '../util/notes.ts'
import { shownName } from '../util/shown-name.ts'

const origins = {
  verified: 'Verified',
  bought: 'Bought here',
  claimed: 'Free subdomain',
  added: 'Added below another zone',
} as const

export function ZoneSettingsPage() {
  const { zone: address, name } = useZone()
  useTitle(`${name}: settings`)
  const zone = useQuery(queries.zone(address))
  return (
    <Loaded of={zone}>
      {(data) => (
        <Stack>
          <Section title="About this zone">
            <Group gap="xs">
              <Text size="sm">Id</Text> <CopyText text={data.id} what="the id" />
            </Group>
            <Text size="sm">
              {origins[data.origin]} <When at={data.created_at} />. Version {data.version}, serial{' '}
              {data.serial % 2 ** 32}, {recordSetsText(data.rrset_count)}.
            </Text>
          </Section>
          <NotesSection key={`${data.comment} ${data.labels?.join()}`} zone={address} notes={data} />
          {may.deleteZone(data) ? (
            <DeleteSection
              zone={address}
              name={data.name}
              id={data.id}
              isContested={data.state === 'live' && typeof data.verification?.contest_ends_at === 'string'}
            />
          ) : (
            <Section title="Delete">
              <Text size="sm">Only the owner can delete this zone.</Text>
            </Section>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

/** The comment and labels of the zone. */
function NotesSection({ zone, notes }: { zone: string; notes: ShownNotes }) {
  const [comment, setComment] = useState(notes.comment ?? '')
  const [labels, setLabels] = useState((notes.labels ?? []).join(' '))
  const wanted = wantedNotes(notes, comment, labels)
  const save = useMutation({
    mutationFn: (body: WantedNotes) =>
      call('describeZone', {
        params: { zone },
        body: { comment: body.comment, labels: body.labels && [...body.labels] },
      }),
    onSuccess: async () => {
      toast('The comment and the labels are saved.')
      await renew(keys.zone(zone), keys.zones)
    },
  })
  return (
    <Section
      title="Comment and labels"
      lead="Everyone who can see the zone sees them. The list of zones can be filtered by them."
    >
      <form
        aria-label="Comment and labels"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted !== undefined && labelsFault(labels) === undefined) save.mutate(wanted)
        }}
      >
        <Stack gap="sm">
          <NotesFields comment={comment} labels={labels} onComment={setComment} onLabels={setLabels} />
          <Failure error={save.error} />
          <Group>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={wanted === undefined || labelsFault(labels) !== undefined}
            >
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function DeleteSection({
  zone,
  name,
  id,
  isContested,
}: {
  zone: string
  name: string
  id: string
  isContested: boolean
}) {
  const shown = shownName(name)
  const undo = isContested
    ? 'Another account claims this name: the zone goes to it, and cannot be restored.'
    : 'It can be restored for 7 days.'
  const [edits] = useEdits(id)
  const leave = useLeaveZone(zone, id)
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => call('deleteZone', { params: { zone }, body: { name } }),
    onSuccess: async () => {
      toast(`${shown} is deleted. ${undo}`)
      await leave()
      await renew(keys.deletedZones)
    },
  })
  return (
    <Section title="Delete" lead={`The nameservers stop answering within seconds. ${undo}`}>
      <Group>
        <Button variant="outline" className="danger" onClick={() => setAsking(true)}>
          Delete <Name>{shown}</Name>
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title={`Delete ${shown}`}
        action={`Delete ${shown}`}
        typed={shown}
        error={remove.error}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        Its names stop resolving within seconds: websites, mail and everything else below <Name>{shown}</Name>. Managers
        lose it, and API keys that list it no longer cover it.{' '}
        {isContested
          ? undo
          : 'You can restore it for 7 days, also for its managers and those API keys. After 7 days, its records and its history are erased.'}
        {edits.size > 0 && ` This also discards ${unsavedText(edits.size)} to its records.`}
      </ConfirmDialog>
    </Section>
  )
}
