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
import { keepWarnings } from './warning-list.tsx'

/** What a change of many record sets answers. */
interface Outcome {
  /** The zone's version afterwards; of a dry run, the one that there would be. */
  readonly version: number
  readonly diff: { readonly changes: readonly unknown[] }
  readonly warnings: readonly WireWarning[]
}

/**
 * How a change is asked for: first as a dry run, then at the version that the dry run saw, and under a key of that dry run: asked again
 * after an answer that was lost, it is answered as it was the first time, not refused for the version that it made itself.
 */
export interface Asked {
  readonly dryRun: boolean
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A change of the zone that is seen before it is made, and made only if the zone is still what was seen: if it has moved on, what the
 * change would do now is shown instead, and the person decides again. Once it is made, `told` says so, and the person is led to the
 * records; whoever has gone elsewhere meanwhile stays there.
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
    // What was seen is what was done. The answer of a repeat may leave it out.
    onSuccess: async (_answer, { seen }) => {
      toast(told(seen))
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
  return {
    seen: preview.data?.seen,
    /** Has the zone moved on since it was first seen? */
    hasMoved,
    error: preview.error ?? apply.error,
    isPreviewing: preview.isPending,
    isApplying: apply.isPending,
    preview: () => {
      setMoved(false)
      apply.reset()
      preview.mutate()
    },
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

/** Changes make one version more; without any there is none. */
function versionSeenBy({ version, diff: { changes } }: Outcome): number {
  return changes.length === 0 ? version : version - 1
}
