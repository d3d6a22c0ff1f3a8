import { Alert, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Empty, Failure } from '../ui/feedback.tsx'
import { TextLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Marked } from '../ui/marked.tsx'
import { Name } from '../ui/name.tsx'
import { useArrival } from '../ui/use-arrival.ts'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { paths } from '../util/paths.ts'
import { isChanging, outcomeText, type PlanStatus, zonesText } from '../util/plan-parts.ts'
import { DiffView } from './diff-view.tsx'
import { keyOfZone, type PlannedZone, type PlanState, type ZoneOutcome } from './use-plan.ts'
import { WarningList } from './warning-list.tsx'

/** The review of a plan: the changes of each zone, the errors, and the outcome of each zone. `none`: the sentence for a plan without zones. */
export function PlanReview({ of: plan, none }: { of: PlanState; none: ReactNode }) {
  const { zones, outcomes, error, retry } = plan
  const review = useArrival<HTMLDivElement>(plan.isDone ? 'done' : zones)
  if (zones === undefined || zones.length === 0)
    return (
      <>
        <Failure error={error} {...(retry && { retry })} />
        {zones !== undefined && (
          <Empty icon="search" title="Nothing to change">
            {none}
          </Empty>
        )}
      </>
    )
  const changing = zones.filter(isChanging).length
  const faulty = zones.filter(({ errors }) => errors.length > 0).length
  return (
    <Stack gap="sm" component="section" aria-label="Review" className="arrival" ref={review} tabIndex={-1}>
      {!plan.isDone && (
        <Group justify="space-between" gap="sm">
          <Text fw={600} role="status" flex="1 1 260px">
            {changing === 0 ? 'No zone would change.' : `${zonesText(changing)} will change.`}
            {faulty > 0 && ` ${zonesText(faulty)} cannot be changed in this way.`}
          </Text>
          {changing > 0 && (
            <MainButton onClick={plan.apply} loading={plan.isApplying}>
              {outcomes.size === 0 || plan.isApplying
                ? `Apply to ${zonesText(changing)}`
                : `Apply to the other ${zonesText(changing - outcomes.size)}`}
            </MainButton>
          )}
        </Group>
      )}
      {outcomes.size > 0 && !plan.isDone && (
        <div>
          <Progress value={(outcomes.size / changing) * 100} aria-label="Zones" transitionDuration={100} />
          <Text size="sm" role="status">
            {outcomes.size.toLocaleString('en')} of {changing.toLocaleString('en')}
          </Text>
        </div>
      )}
      <Failure error={error} {...(retry && { retry })} />
      {plan.mayHaveChangedMore && (
        <Text size="sm">
          Some of the other zones may already be changed. Apply again to continue: no zone is changed twice.
        </Text>
      )}
      {plan.isDone && <Outcome of={plan} />}
      <VirtualList items={zones} label="Zones" heightOf={() => 130} keyOf={keyOfZone}>
        {(zone) => <PlanCard zone={zone} outcome={outcomes.get(keyOfZone(zone))} />}
      </VirtualList>
    </Stack>
  )
}

function Outcome({ of: { outcomes, planStale } }: { of: PlanState }) {
  const statuses = [...outcomes.values()].map(({ status }) => status)
  const stale = statuses.filter((status) => status === 'stale').length
  const isWhole = statuses.every((status) => status === 'applied' || status === 'unchanged')
  return (
    <Alert color={isWhole ? 'green' : 'orange'} variant="light" role="alert" title={outcomeText(statuses)}>
      {stale > 0 && (
        <Button size="xs" variant="default" onClick={planStale}>
          {`Review ${stale === 1 ? 'this zone' : `these ${zonesText(stale)}`} again`}
        </Button>
      )}
    </Alert>
  )
}

function PlanCard({ zone, outcome }: { zone: PlannedZone; outcome: ZoneOutcome | undefined }) {
  const errors = outcome?.errors ?? zone.errors
  return (
    <Stack gap="xs" p="sm" className="card">
      <Group gap="xs" justify="space-between">
        {zone.zone_id === null ? (
          <Text fw={600}>
            <Name>{zone.zone}</Name>
          </Text>
        ) : (
          <TextLink {...paths.zone(zone.zone_id)} fw={600} underline="hover">
            <Name>{zone.zone}</Name>
          </TextLink>
        )}
        <StatusBadge zone={zone} status={outcome?.status} />
      </Group>
      {errors.length > 0 ? (
        <ul>
          {errors.slice(0, mostErrors).map(({ code, message, path, line }) => (
            <li key={`${code} ${path} ${line} ${message}`}>
              <Marked text={message} />
            </li>
          ))}
        </ul>
      ) : (
        <>
          <WarningList warnings={zone.warnings} title="Check this before you apply it" />
          <DiffView changes={zone.diff.changes} zone={zone.zone} />
        </>
      )}
    </Stack>
  )
}

const mostErrors = 10

const badges: Readonly<Record<PlanStatus, { readonly label: string; readonly color: string }>> = {
  applied: { label: 'Applied', color: 'green' },
  unchanged: { label: 'Unchanged', color: 'gray' },
  refused: { label: 'Refused', color: 'red' },
  stale: { label: 'Changed since the review', color: 'orange' },
}

function StatusBadge({ zone, status }: { zone: PlannedZone; status: PlanStatus | undefined }) {
  if (status !== undefined) return <Badge className={`badge-${badges[status].color}`}>{badges[status].label}</Badge>
  if (zone.errors.length > 0) return <Badge className="badge-red">Cannot be changed</Badge>
  return isChanging(zone) ? null : <Badge className="badge-gray">Unchanged</Badge>
}
