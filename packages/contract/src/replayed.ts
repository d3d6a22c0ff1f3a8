import { z } from 'zod'

/** A response is stored for repeats with the same `Idempotency-Key` if its body has at most this many bytes. */
export const maxKeptResponseBytes = 256 * 1024

/** The body that a repeated call gets instead of a longer body. The status and the headers are those of the first response. */
export const replayedSchema = z
  .object({
    replayed: z.literal(true),
    version: z.int().nullable().meta({ description: 'The version of the zone after the first call.' }),
    serial: z.int().nullable().meta({ description: 'The serial of the zone after the first call.' }),
    replicated: z.boolean().optional().meta({
      description:
        'True if every nameserver serves the serial. The field exists only if you send `Prefer: wait=<seconds>`.',
    }),
  })
  .meta({
    id: 'Replayed',
    description:
      'If the body of the first response was over 256 KiB, a repeated call with the same Idempotency-Key returns this object instead of the body. The service made the change only once. To see the change, read the zone.',
  })

export type WireReplayed = z.infer<typeof replayedSchema>
