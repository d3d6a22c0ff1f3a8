import { Group, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Item } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { chosenZones } from '../components/chosen-zones.ts'
import { PlanReview } from '../components/plan-review.tsx'
import { usePlan } from '../components/use-plan.ts'
import { Empty, Loaded, Waiting } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Page } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'
import { zonesText } from '../util/plan-parts.ts'
import { fieldsOf } from '../util/preset-fields.ts'

type Preset = Item<'listPresets'>

/** Applies one preset to the zones that are selected in the list: its parameters once, and one difference to review. */
export function ApplyPresetPage() {
  const { zones } = useSearch({ from: '/signed-in/zones/preset' })
  const selected = chosenZones(zones)
  const presets = useQuery(queries.presets())
  return (
    <Page
      title="Apply a preset"
      within={<TextLink {...paths.zones()}>Zones</TextLink>}
      {...(selected.length > 0 && {
        lead: `Sets up a service in ${zonesText(selected.length)}. Nothing changes before you have reviewed it.`,
      })}
    >
      {selected.length === 0 ? (
        <Empty title="No zone is selected" action={<ButtonLink {...paths.zones()}>Select zones</ButtonLink>}>
          Select zones in the list, and choose “Apply a preset” there.
        </Empty>
      ) : (
        <Loaded of={presets} what="Loading the presets">
          {({ items }) => <PresetPlan presets={items} zones={selected} />}
        </Loaded>
      )}
    </Page>
  )
}

function PresetPlan({ presets, zones }: { presets: readonly Preset[]; zones: readonly string[] }) {
  const [id, setId] = useState<string | null>(null)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const plan = usePlan()
  const preset = presets.find((one) => one.id === id)
  const isBusy = plan.isApplying || plan.isPlanning
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (preset === undefined || isBusy) return
          const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
          plan.plan({ preset: { id: preset.id, parameters: Object.fromEntries(given) } }, zones)
        }}
      >
        <Stack gap="sm" p="md" className="card">
          <Select
            label="Preset"
            placeholder="Type to search"
            data={presets.map(({ id: value, title }) => ({ value, label: title }))}
            value={id}
            searchable
            selectFirstOptionOnChange
            nothingFoundMessage="No preset matches"
            disabled={isBusy}
            autoFocus
            onChange={(value) => {
              setId(value)
              setValues({})
              plan.forget()
            }}
          />
          {preset &&
            fieldsOf(preset).map(({ name, label, example, required }) => (
              <TextInput
                key={name}
                label={label}
                placeholder={example}
                required={required}
                readOnly={isBusy}
                value={values[name] ?? ''}
                autoComplete="off"
                onChange={(event) => {
                  setValues({ ...values, [name]: event.currentTarget.value })
                  plan.forget()
                }}
              />
            ))}
          {plan.zones === undefined && (
            <Group>
              <MainButton type="submit" loading={plan.isPlanning} disabled={preset === undefined}>
                Show what would change
              </MainButton>
            </Group>
          )}
        </Stack>
      </form>
      {plan.isPlanning && <Waiting what="Planning the changes" />}
      <PlanReview of={plan} none="Select zones in the list first." />
    </>
  )
}
