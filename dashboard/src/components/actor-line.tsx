import type { ChangeSource, WireActor } from '@zonewright/contract'
import { actorDetails } from '../util/actor-words.ts'

/** Who made a change, and how. */
export function ActorLine({ actor, source }: { actor: WireActor; source: ChangeSource }) {
  return (
    <>
      {/* Isolated: a name in a right-to-left script does not reorder what stands beside it. */}
      <bdi>{actor.name}</bdi> <span className="quiet">({actorDetails(actor, source)})</span>
    </>
  )
}
