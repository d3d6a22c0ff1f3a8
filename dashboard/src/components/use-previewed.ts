import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { WireWarning } from '@zonewright/contract'
import { useState } from 'react'
import { failedWith } from '../api/failure.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { toast } from '../ui/toasts.tsx'
import { paths } from '../util/paths.ts'
import { randomKey } from '../util/random-key.ts'
import { keepLastChange } from './last-change.tsx'
import { keepWarnings } from './warning-list.tsx'

/** The response to a change of many record sets. */
interface Outcome {
  /** The zone's version afterwards; for a dry run, the version that there would be. */
  readonly version: number
  readonly serial: number
  readonly diff: { readonly changes: readonly unknown[] }
  readonly warnings: readonly WireWarning[]
}

/**
 * How a change is requested: first as a dry run, then at the version of the dry run, with an Idempotency-Key for that dry run. So if the
 * response was lost, a repeat gets the first response and is not refused because of its own version.
 */
export interface Asked {
  readonly dryRun: boolean
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A change of the zone that is previewed first, and made only if the zone is still the same. If the zone has changed, the page shows what the
 * change would do now, and the person decides again. After the change, `told` reports it, and the records page opens, unless the person has
 * opened another page in the meantime.
 */
export function usePreviewed<T extends Outcome>(
  zone: string,
  ask: (asked: Asked) => Promise<T>,
  told: (seen: T) => string,
) {
  const navigate = useNavigate()
  const [hasMoved, setMoved] = useState(false)
  const preview = useMutation({
    mutationFn: async () => ({ seen: await ask({ dryRun: true, headers: {} }), key: randomKey() }),
  })
  const apply = useMutation({
    mutationFn: ({ seen, key }: { seen: T; key: string }) =>
      ask({ dryRun: false, headers: { 'if-match': `"${versionSeenBy(seen)}"`, 'idempotency-key': key } }),
    // The change is what the preview showed. The response to a repeat may omit it.
    onSuccess: async (answer, { seen }) => {
      toast(told(seen))
      if (seen.diff.changes.length > 0) keepLastChange(zone, answer)
      keepWarnings(zone, seen.warnings)
      await renew(keys.zone(zone), keys.zones)
    },
    onError: (error) => {
      if (!failedWith(error, 'precondition_failed')) return
      setMoved(true)
      apply.reset()
      preview.mutate()
    },
  })
  const start = (): void => {
    setMoved(false)
    apply.reset()
    preview.mutate()
  }
  return {
    seen: preview.data?.seen,
    /** Whether the zone has changed since the first preview. */
    hasMoved,
    error: preview.error ?? apply.error,
    /** Previews again, if there is no preview because it failed. */
    retry: preview.error ? start : undefined,
    isPreviewing: preview.isPending,
    isApplying: apply.isPending,
    preview: start,
    apply: () => {
      if (preview.data) apply.mutate(preview.data, { onSuccess: () => navigate(paths.zone(zone)) })
    },
    forget: () => {
      setMoved(false)
      preview.reset()
      apply.reset()
    },
  }
}

/** The version that a dry run has seen. Any changes make one new version; without changes, there is none. */
export function versionSeenBy({ version, diff: { changes } }: Pick<Outcome, 'version' | 'diff'>): number {
  return changes.length === 0 ? version : version - 1
}
