import { useMutation } from '@tanstack/react-query'
import { maxSharedPlanZones } from '@zonewright/contract'
import { useRef, useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { isPassing } from '../api/failure.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { inParts, isChanging, type PlanStatus, type PlanWish } from '../util/plan-parts.ts'
import { randomKey } from '../util/random-key.ts'

export type PlannedZone = Answer<'planChanges'>['zones'][number]

type AppliedZone = Answer<'applyPlan'>['zones'][number]

/** The outcome of a zone of the plan. */
export type ZoneOutcome = Pick<AppliedZone, 'errors'> & { readonly status: PlanStatus }

/** The number of zones in one call that applies a plan. A call takes less than a second, so the page shows progress. */
const appliedAtOnce = 50

/** One call that applies a part of the plan. Its key stays the same, so a repeat after a lost response applies nothing twice. */
interface Part {
  readonly zones: readonly PlannedZone[]
  readonly key: string
}

/**
 * A plan for many zones, which a person reviews and then applies. If a call fails, the zones so far stay applied, and `apply` continues with the
 * others. Zones that have changed since the review are left as they are, and can be planned again.
 */
export function usePlan() {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, ZoneOutcome>>(new Map())
  const parts = useRef<Part[]>([])
  const plan = useMutation({
    mutationFn: async ({ wish, zones }: { wish: PlanWish; zones: 'all' | readonly string[] }) => ({
      wish,
      zones: await planAll(wish, zones),
    }),
    onMutate: () => {
      apply.reset()
      setOutcomes(new Map())
    },
    onSuccess: ({ zones }) => {
      parts.current = inParts(zones.filter(isChanging), appliedAtOnce).map((part) => ({
        zones: part,
        key: randomKey(),
      }))
    },
  })
  const apply = useMutation({
    mutationFn: async (wish: PlanWish) => {
      for (let part = parts.current[0]; part !== undefined; part = parts.current[0]) {
        const done = await applyPart(wish, part)
        parts.current = parts.current.slice(1)
        setOutcomes((before) => new Map([...before, ...done.map((one) => [keyOfZone(one), one] as const)]))
      }
    },
    onSettled: () => renew(keys.zones),
  })
  const planned = plan.data
  const start = (wish: PlanWish, zones: 'all' | readonly string[]): void => plan.mutate({ wish, zones })
  return {
    zones: planned?.zones,
    outcomes,
    error: plan.error ?? apply.error,
    /** The call that failed may have changed some of its zones. */
    mayHaveChangedMore: isPassing(apply.error),
    isPlanning: plan.isPending,
    isApplying: apply.isPending,
    /** Every zone that the plan changes has an outcome. */
    isDone: apply.isSuccess,
    plan: start,
    /** Plans only the zones that have changed since the review. */
    planStale: () => {
      const stale = [...outcomes].filter(([, { status }]) => status === 'stale').map(([id]) => id)
      if (planned) start(planned.wish, stale)
    },
    apply: () => {
      if (planned) apply.mutate(planned.wish)
    },
    /** Plans again, if planning has failed. */
    retry: plan.error === null ? undefined : () => plan.variables && plan.mutate(plan.variables),
    forget: () => {
      plan.reset()
      apply.reset()
      setOutcomes(new Map())
    },
  }
}

export type PlanState = ReturnType<typeof usePlan>

/** The key of a zone in a plan: its id, or the name from the request if the zone does not exist. */
export function keyOfZone({ zone, zone_id: id }: Pick<PlannedZone, 'zone' | 'zone_id'>): string {
  return id ?? zone
}

async function applyPart(wish: PlanWish, { zones, key }: Part): Promise<readonly AppliedZone[]> {
  const sent = zones.map((one) => ({ zone: keyOfZone(one), if_match: one.version ?? 0 }))
  const answer = await call('applyPlan', { body: { ...wish, zones: sent }, headers: { 'idempotency-key': key } })
  return answer.zones
}

/** The plan of all zones, however many calls it takes. */
async function planAll(wish: PlanWish, zones: 'all' | readonly string[]): Promise<PlannedZone[]> {
  const planned: PlannedZone[] = []
  if (zones !== 'all') {
    for (const part of inParts(zones, maxSharedPlanZones)) {
      const page = await call('planChanges', { body: { ...wish, zones: part.map((zone) => ({ zone })) } })
      planned.push(...page.zones)
    }
    return planned
  }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = { ...wish, zones: 'all' as const, ...(cursor !== undefined && { cursor }) }
    const page: Answer<'planChanges'> = await call('planChanges', { body })
    planned.push(...page.zones)
    cursor = page.next_cursor
  }
  return planned
}
