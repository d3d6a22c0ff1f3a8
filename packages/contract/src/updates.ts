import { z } from 'zod'
import { route } from './route.ts'
import { updateKinds } from './update-kinds.ts'

/** One hint in the stream of updates. A hint says that an object has changed, but does not have the new content. */
export const updateSchema = z.object({
  kind: z.enum(updateKinds),
  /**
   * `zones` and `records`: the id of the zone; `deliveries`: of the endpoint; `orders`, `keys`: of the order or key; `domains`: the name of the
   * domain. Null: any of this kind.
   */
  id: z.string().nullable(),
})

export type WireUpdate = z.infer<typeof updateSchema>

/** Maximum number of open streams of updates, in each API process. */
export const updateStreamLimits = { session: 5, account: 50, process: 5_000 } as const
/** How often a stream has a comment line. A client that hears nothing for much longer has lost its connection. */
export const updateCommentS = 20

export const updateRoutes = {
  followUpdates: route({
    id: 'followUpdates',
    method: 'GET',
    path: '/updates',
    who: 'session',
    summary: 'Follow changes in the account',
    description: `The response is a stream of server-sent events that does not end. For each change, the stream has a line \`data: {"kind": …, "id": …}\`. The line names the changed object, but does not have the content of the object. The dashboard then reads the object again.

| \`kind\` | \`id\` |
| --- | --- |
| \`zones\`, \`records\` | the id of the zone |
| \`deliveries\` | the id of the webhook endpoint |
| \`orders\`, \`keys\` | the id of the order or key |
| \`domains\` | the name of the domain |

If \`id\` is null, any object of this kind may have changed.

A comment line follows every ${updateCommentS} seconds. The stream begins with the changes of the last few seconds. The stream ends within a second after the session ends, and when the service restarts. The service disconnects a client that does not read the stream. A session can have ${updateStreamLimits.session} open streams, and an account can have ${updateStreamLimits.account}.`,
    answers: { 200: { raw: 'text/event-stream' } },
  }),
}
