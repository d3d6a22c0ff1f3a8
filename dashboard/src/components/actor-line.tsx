import type { ChangeSource, WireActor } from '@zonewright/contract'
import { actorDetails } from '../util/actor-words.ts'

/** The actor of a change, and how it was made. */
export function ActorLine({ actor, source }: { actor: WireActor; source: ChangeSource }) {
  return (
    <>
      {/* Isolated: a name in a right-to-left script does not reorder the text next to it. */}
      <bdi>{actor.name}</bdi> <span className="quiet">({actorDetails(actor, source)})</span>
    </>
  )
}
