import { z } from 'zod'

/** A response is kept for repeats with its `Idempotency-Key` if its body has at most so many bytes. */
export const maxKeptResponseBytes = 256 * 1024

/** What a repeat gets in place of a longer body, with the status and the headers of the first response. */
export const replayedSchema = z
  .object({
    replayed: z.literal(true),
    version: z.int().nullable().meta({ description: 'The version that the zone had by the first call.' }),
    serial: z.int().nullable().meta({ description: 'The serial that the zone had by the first call.' }),
    replicated: z
      .boolean()
      .optional()
      .meta({ description: 'With `Prefer: wait=<seconds>`: whether every nameserver serves the serial.' }),
  })
  .meta({
    id: 'Replayed',
    description:
      'In place of a body over 256 KiB, for a repeat with its Idempotency-Key. The call was made once; read the zone to see what it did.',
  })

export type WireReplayed = z.infer<typeof replayedSchema>
