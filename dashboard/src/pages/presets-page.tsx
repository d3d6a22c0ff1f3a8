import { Button, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Item } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { DiffView } from '../components/diff-view.tsx'
import { MovedNote } from '../components/moved-note.tsx'
import { usePreviewed } from '../components/use-previewed.ts'
import { useZone } from '../components/use-zone.ts'
import { WarningList } from '../components/warning-list.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { FilterBox } from '../ui/filter-box.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { useTitle } from '../ui/page.tsx'
import { fieldsOf } from '../util/preset-fields.ts'

type Preset = Item<'listPresets'>

/** Services that one change sets up. */
export function PresetsPage() {
  const { zone, name } = useZone()
  useTitle(`${name}: presets`)
  const { q = '' } = useSearch({ from: '/signed-in/zones/$zone/presets' })
  const navigate = useNavigate({ from: '/zones/$zone/presets' })
  const presets = useQuery(queries.presets())
  const [chosen, setChosen] = useState<Preset>()
  const wanted = q.toLowerCase()
  return (
    <Stack>
      <Group>
        <FilterBox
          label="Filter presets"
          value={q}
          onChange={(text) =>
            void navigate({ search: text === '' ? {} : { q: text }, replace: true, resetScroll: false })
          }
        />
      </Group>
      <Loaded of={presets}>
        {({ items }) => {
          const shown = items.filter((preset) =>
            `${preset.title} ${preset.provider} ${preset.description}`.toLowerCase().includes(wanted),
          )
          return shown.length === 0 ? (
            <Empty icon="search" title="No preset matches">
              Try another word, or add the records manually.
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {shown.map((preset) => (
                <Stack key={preset.id} className="card" p="md" gap="xs" justify="space-between">
                  <div>
                    <Title order={2}>{preset.title}</Title>
                    <Text size="sm" className="quiet">
                      {preset.description}
                    </Text>
                  </div>
                  <Group>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Set up ${preset.title}`}
                      onClick={() => setChosen(preset)}
                    >
                      Set up
                    </Button>
                  </Group>
                </Stack>
              ))}
            </SimpleGrid>
          )
        }}
      </Loaded>
      {chosen && (
        <PresetDialog
          key={chosen.id}
          preset={chosen}
          zone={zone}
          zoneName={name}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Stack>
  )
}

function PresetDialog({
  preset,
  zone,
  zoneName,
  onClose,
}: {
  preset: Preset
  zone: string
  zoneName: string
  onClose: () => void
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const change = usePreviewed(
    zone,
    ({ dryRun, headers }) => {
      const parameters = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
      return call('applyPreset', {
        params: { zone, id: preset.id },
        query: dryRun ? { dry_run: 'true' } : {},
        body: { parameters },
        headers,
      })
    },
    () => `${preset.title} was applied.`,
  )
  const set = (name: string, value: string): void => {
    setValues({ ...values, [name]: value })
    change.forget()
  }
  const fields = fieldsOf(preset)
  return (
    <Dialog onClose={onClose} title={`Set up ${preset.title}`} size="lg" hasFields isBusy={change.isApplying}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (change.seen) change.apply()
          else change.preview()
        }}
      >
        <Stack>
          {fields.map(({ name, label, example, required }) => (
            <TextInput
              key={name}
              label={label}
              placeholder={example}
              required={required}
              value={values[name] ?? ''}
              autoComplete="off"
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          ))}
          <Failure error={change.error} />
          <MovedNote of={change} />
          {change.seen && <WarningList warnings={change.seen.warnings} title="Check this before you apply it" />}
          {change.seen && <DiffView changes={change.seen.diff.changes} zone={zoneName} />}
          <DialogButtons>
            <Button variant="default" disabled={change.isApplying} onClick={onClose}>
              Cancel
            </Button>
            {change.seen ? (
              <MainButton type="submit" loading={change.isApplying} disabled={change.seen.diff.changes.length === 0}>
                Apply
              </MainButton>
            ) : (
              <MainButton type="submit" loading={change.isPreviewing}>
                Show what would change
              </MainButton>
            )}
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
