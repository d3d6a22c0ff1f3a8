import { Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { chosenZones } from '../components/chosen-zones.ts'
import { PlanReview } from '../components/plan-review.tsx'
import { usePlan } from '../components/use-plan.ts'
import { Waiting } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Marked } from '../ui/marked.tsx'
import { nameInput } from '../ui/name-input.ts'
import { Page } from '../ui/page.tsx'
import { paths } from '../util/paths.ts'
import { zonesText } from '../util/plan-parts.ts'
import { replaceableTypes, replacementFaults } from '../util/replace-value.ts'

/** Replaces one value, such as an address, in many zones: one difference to review, and then the outcome of each zone. */
export function ReplaceValuePage() {
  const { zones } = useSearch({ from: '/signed-in/zones/replace' })
  const selected = chosenZones(zones)
  const [where, setWhere] = useState(selected.length > 0 ? 'selected' : 'all')
  const [type, setType] = useState('A')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const plan = usePlan()
  const faults = replacementFaults(type, from, to)
  const isReady = from.trim() !== '' && to.trim() !== '' && faults.from === undefined && faults.to === undefined
  const isBusy = plan.isApplying || plan.isPlanning
  /** A change of the form: what was planned is no longer what would be applied. */
  const changing =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value)
      plan.forget()
    }
  return (
    <Page
      title="Replace a value"
      within={<TextLink {...paths.zones()}>Zones</TextLink>}
      lead="Replaces one value in every record set that has it. Nothing changes before you have reviewed it."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const replace = { type, from: from.trim(), to: to.trim() }
          if (isReady && !isBusy) plan.plan({ replace }, where === 'all' ? 'all' : selected)
        }}
      >
        <Stack gap="sm" p="md" className="card">
          {selected.length > 0 && (
            <SegmentedControl
              aria-label="Zones to search"
              size="sm"
              data={[
                { value: 'all', label: 'All zones' },
                { value: 'selected', label: `${zonesText(selected.length)} selected` },
              ]}
              value={where}
              disabled={isBusy}
              onChange={changing(setWhere)}
            />
          )}
          <Group align="flex-start" gap="sm">
            <Select
              label="Type"
              data={replaceableTypes}
              value={type}
              allowDeselect={false}
              disabled={isBusy}
              w={120}
              onChange={(value) => changing(setType)(value ?? 'A')}
            />
            <TextInput
              label="Old value"
              placeholder="192.0.2.1"
              value={from}
              error={faults.from !== undefined && <Marked text={faults.from} />}
              readOnly={isBusy}
              flex="1 1 220px"
              autoFocus
              {...nameInput}
              onChange={(event) => changing(setFrom)(event.currentTarget.value)}
            />
            <TextInput
              label="New value"
              placeholder="192.0.2.2"
              value={to}
              error={faults.to !== undefined && <Marked text={faults.to} />}
              readOnly={isBusy}
              flex="1 1 220px"
              {...nameInput}
              onChange={(event) => changing(setTo)(event.currentTarget.value)}
            />
          </Group>
          {plan.zones === undefined && (
            <Group>
              <MainButton type="submit" loading={plan.isPlanning} disabled={!isReady}>
                Show what would change
              </MainButton>
            </Group>
          )}
        </Stack>
      </form>
      {plan.isPlanning && <Waiting what="Searching your zones" />}
      <PlanReview
        of={plan}
        none={`No ${type} record in ${where === 'all' ? 'your zones' : 'the selected zones'} has the value ${from.trim()}.`}
      />
    </Page>
  )
}
